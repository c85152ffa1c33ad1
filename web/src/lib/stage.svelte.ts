/** What is on a table's screen, moment by moment: the newest view, or the way to it. */

import type { Snippet } from 'svelte'
import { gameOf, type Cue } from '../games'
import { PROTOCOL, type GameEvent, type Refused, type TableShown, type View } from '../wire'
import type { Line, Seat, Watcher } from './adapter'
import { Asking } from './asking.svelte'
import { outcome } from './ends'
import { isBeat, isSpent, isStop, seatOf } from './events'
import { diceOf, scenesOf, stepsOf, type Scene, type Step } from './film'
import { buzz } from './haptics'
import { Log } from './log.svelte'
import { AFTER_BOT_MOVED, BEFORE_BOT_MOVES, BEFORE_END, Pace } from './pace'
import { keepNames, namesAt, namesOf, peopleAt, YOU } from './people.svelte'
import { refusalText } from './refusals'
import { motionless, settings } from './settings.svelte'
import { sound } from './sounds'
import { Taps } from './taps'
import { t } from './texts.svelte'

export { YOU }

/** A move, and whose. */
interface Made {
  by: number
  move: string
}

/** Two moves in one position; `shape` says how bad the first was. */
export interface Marks {
  played: string
  better: string
  shape: string
}

/** What a table has besides where other people sit at it: who they are, and what is drawn for them (parts/RoomTable). */
export interface Company {
  /** What the seats are called. */
  readonly names: string[]
  /** What it is played for. */
  readonly about: string
  /** Nobody here plays: there is no deck. */
  readonly watching: boolean
  /** How the series stands, at the end of a game; empty where there is none. */
  readonly standing: string
  /** How the game ended, where that is not for the game to say; else nothing. */
  readonly headline: string
  seats: Snippet<[scores: (number | null)[], asides: string[], shown: (score: number | null) => string]>
  /** Above the score: how others stand who play the same dice. */
  ranking: Snippet | null
  /** In the bar. */
  tools: Snippet
  /** In the menu; what is called closes that. */
  menu: Snippet<[close: () => void]>
  /** The two buttons at the end. */
  slots: Snippet
}

/** What has been asked for and not been answered yet: a move with the one that follows it at once, or an undo. */
type Asked = { move: string; then: string | null } | 'undo'

/** Refusals of a tap while a move is on its way: when it has arrived, they are over. */
const ABOUT_THE_WAY: readonly string[] = ['saving', 'pending']
const REFUSAL_SHOWN = 3000
const TO_READ_A_LETTER = 60

const isCoached = ({ unranked }: TableShown): boolean => unranked.includes('coach') // asked elsewhere about the position
const anyFace = (): number => 1 + Math.floor(6 * Math.random())

export class Stage implements Watcher {
  /** The table as the server has it; the screen may still be on its way there. */
  table = $state.raw<TableShown | null>(null)
  view = $state.raw<View | null>(null)
  /** The last roll while it is in the air, and afterwards if the view has moved on without it. */
  rolled = $state.raw<number[] | null>(null)
  /** What has happened with the steps that are being shown, or were shown last. */
  events = $state.raw<GameEvent[]>([])
  /** What the dice show while they are in the air. */
  faces = $state.raw<number[] | null>(null)
  /** Scenes are being shown; a tap goes to the next stop among them, or to their end. */
  busy = $state(false)
  /** A turn or a round has just ended, and the table is still as it was then. */
  stopped = $state(false)
  /** The first roll of a daily waits until somebody has read that it counts. */
  announcing = $state(false)
  /** The dice wait for a tap: the player likes to roll them. */
  toRoll = $state(false)
  /** Who is to be handed the device before they do; empty where nobody is. */
  handTo = $state('')
  /** A move is on its way. */
  waiting = $state(false)
  /** It has arrived, and it takes its time until it is durable. */
  saving = $state(false)
  connection = $state<Line>('open')
  /** What happened last, for eyes and for screen readers. */
  told = $state('')
  /** The last move that the screen has shown, by whoever made it. */
  latest = $state.raw<Made | null>(null)
  asked = $state.raw<Asked | null>(null)
  refusal = $state.raw<Refused | null>(null)

  /** What stands in the tray instead of dice and buttons: the controls of a replay. */
  controls = $state.raw<Snippet | null>(null)
  /** What can be done with the position on show, beside the board. */
  offers = $state.raw<Snippet | null>(null)
  /** What stands above the table: the question of a puzzle. */
  banner = $state.raw<Snippet | null>(null)
  /** Whose run it is, above the table, where somebody else's is looked at. */
  credit = $state.raw<Snippet | null>(null)
  /** Who that is; null: we ourselves. */
  person = $state<string | null>(null)
  /** Which run is looked at. */
  run = $state('')
  /** Who played it, by the order of their seats, where the hall knows that. */
  sat = $state.raw<string[] | null>(null)
  /** Other people sit here, each at their own device. */
  company = $state.raw<Company | null>(null)

  /** The move that the player is thinking of: a hint speaks of it, too. */
  considered = $state<string | null>(null)
  /** A move that was made in the position on show, and a better one: both are marked on the board. */
  marks = $state.raw<Marks | null>(null)

  /** Who wants to hear of every step that is shown, with the table as it is after it. */
  heard: ((step: Step, view: View) => void) | null = null

  readonly asking = new Asking()
  seat: Seat | null = null
  #scenes: Scene[] = []
  /** Counts performances: one that was cut off shows nothing any more. */
  #take = 0
  /** The last move, as long as no dice have fallen after it. */
  #lastMove: string | undefined
  /** The seat of whoever has the device, where several people share it. */
  #holder: number | null = null
  readonly #taps = new Taps()
  readonly #pace = new Pace()
  readonly #log = new Log(() => this.names)

  readonly names = $derived(
    this.company
      ? this.company.names
      : this.table
        ? namesOf(this.table.seats, this.person, this.table.id !== '' || (this.sat ?? namesAt(this.run)))
        : [],
  )
  /** Several people share the device. */
  readonly together = $derived(peopleAt(this.table?.seats ?? []) > 1)
  /** Everything that has been told. */
  readonly log = $derived(this.#log.lines)
  /** The moves the player can make now. */
  readonly moves = $derived<View['moves']>(this.#myTurn() ? this.view!.moves : [])
  /** What the coach says about the position on the screen. */
  readonly advice = $derived(this.#myTurn() ? (this.table?.hint ?? null) : null)
  /** A run is looked at that is over: nobody plays here. */
  readonly replayed = $derived(this.controls !== null && this.banner === null)
  /** What has been asked for waits for the connection. */
  readonly pending = $derived(this.waiting && (this.connection === 'lost' || this.connection === 'later') ? this.asked : null)
  /** It is still here, and can be taken back. */
  readonly takeable = $derived(this.pending !== null && (this.seat?.unsent() ?? false))
  /** The move that is on its way: what it brings stays in sight until it has come. */
  readonly sent = $derived(this.waiting && this.asked !== null && this.asked !== 'undo' ? this.asked.move : null)
  readonly over = $derived(this.view?.result != null && !this.busy)

  #myTurn(): boolean {
    return !this.busy && !this.waiting && this.view !== null && this.view.your_turn
  }

  /** Who is to move is a bot, or somebody elsewhere, or nobody sits here at all. */
  isBot(seat: number | null): boolean {
    return seat !== null && this.table !== null && this.table.seats[seat] !== YOU
  }

  // -- what the player does

  /** A finger was here (null: a key was pressed). True: it is the echo of a tap that has moved. */
  tapped(at: { clientX: number; clientY: number } | null): boolean {
    return this.#taps.heard(at)
  }

  /** Make a move, and another one right after it if there is one to make. */
  play(move: string, then: string | null = null): void {
    if (this.busy) return this.skip()
    if (this.waiting || !this.view?.your_turn) return this.misTap('not-your-turn')
    if (this.#taps.echo) return
    this.#ask({ move, then })
    return this.seat?.play(move, then)
  }

  undo(): void {
    if (this.#taps.echo) return
    if (this.waiting) return this.misTap('not-your-turn')
    if (!this.table?.can_undo) return this.misTap(this.log.some(({ by }) => by !== null && !this.isBot(by)) ? 'undo-last' : 'undo-nothing')
    this.#ask('undo')
    return this.seat?.undo()
  }

  /** What waits for the connection is not to be done: as if it had not been asked for. */
  takeBack(): void {
    if (!this.takeable) return this.misTap('pending') // it may have arrived
    this.seat?.forget()
    this.asked = this.refusal = null
    this.waiting = false
    this.told = t('undone')
  }

  /** Ask the coach about the position: for the goal chosen here last, if no other is named. */
  hint(goal: string | null = null): void {
    if (this.#myTurn()) this.seat?.hint(this.asking.ask(this.table!.id, goal))
  }

  /** The coach's answer is not waited for: a question that has not gone out would cost the run its place on the boards
   * later, unseen. */
  dropHint(): void {
    if (!this.asking.open || this.connection === 'open') return
    this.asking.drop()
    this.seat?.forget()
  }

  /** Roll the dice that wait for it. */
  roll(): void {
    this.toRoll = this.announcing = false
    this.#pace.wake()
  }

  /** Show the next stop, or the end of what is going on, at once; but not just after a move, or a stop. */
  skip(): void {
    if (this.toRoll) return this.#refuse('roll-first')
    this.#pace.skip()
  }

  /** A tap that means nothing here is answered too; one while a move is on its way hears of that. */
  misTap(code: string): void {
    if (this.#taps.echo && this.waiting) return
    this.#refuse(this.pending ? 'pending' : this.waiting ? 'saving' : code)
  }

  #ask(asked: Asked): void {
    this.asked = asked
    this.waiting = true
    this.refusal = null
    this.#taps.moved()
    this.#pace.hold()
  }

  // -- what the table says

  shown(table: TableShown, asked = false): void {
    const before = this.table
    this.table = table
    this.waiting = asked && (this.waiting || before === null) // or it was asked before the page was opened anew
    this.saving = false
    if (!this.waiting && this.refusal && ABOUT_THE_WAY.includes(this.refusal.code)) this.refusal = null
    if (table.run !== null && this.together) keepNames(table.run, peopleAt(table.seats))
    this.asking.shown(table, table.count !== before?.count)
    if (before !== null && isCoached(table) && !isCoached(before)) this.#refuse('unranked-coach')
    const started = table.film[0]?.step === '' // nobody has moved yet
    if (before === null && started) {
      this.view = table.film[0]!.view
      this.announcing = table.kind === 'daily'
    }
    const steps = stepsOf(table)
    const seen = before?.count ?? (started ? 0 : table.count)
    const fresh = table.count - seen
    if (fresh === 0 && this.busy) return // about the position that is on its way to the screen
    if (fresh < 0) this.told = t('undone')
    if (this.view === null || fresh <= 0 || fresh > steps.length) {
      this.#recall(steps, table)
      return this.#cut(table.view)
    }
    this.#scenes.push(...scenesOf(steps.slice(-fresh), table.view))
    if (!this.busy) void this.#perform()
  }

  /** What has happened elsewhere, or before we came. */
  #recall(steps: Step[], { count, view }: TableShown): void {
    if (this.#log.recall(steps, count, view)) void this.#catchUp()
    const last = steps.filter(({ by }) => by !== null).at(-1)
    this.latest = last ? { by: last.by!, move: last.step } : null
  }

  /** What came before the newest film is asked for; without an answer the log begins later. */
  async #catchUp(): Promise<void> {
    const film = (await this.seat?.film().catch(() => null)) ?? []
    this.#log.begin(film.slice(0, this.table!.count + 1))
  }

  line(state: Line): void {
    this.connection = state
  }

  /** Until it is durable, nothing else is sent. */
  delayed(): void {
    this.waiting = this.saving = true
  }

  refused(refusal: Refused): void {
    if (this.asking.refused(refusal, this.table?.id ?? '')) return
    this.waiting = this.saving = false
    this.#refuse(refusal.code, refusal.message)
  }

  /** A position to look at: of a run that is over, with what has just happened, or (with an id) of a puzzle, where one
   * can move. */
  present(view: View, seats: string[], id = '', events: GameEvent[] = []): void {
    this.table = {
      type: 'table',
      protocol: PROTOCOL,
      id,
      kind: 'practice',
      day: null,
      mode: '',
      seats,
      commitment: null,
      count: 0,
      news: [],
      can_undo: false,
      unranked: [],
      view,
      run: null,
      film: [],
      recommended: null,
      hint: null,
      first: null,
      room: null,
    }
    this.#cut(view)
    this.events = events
    this.marks = null
  }

  #refuse(code: string, message = ''): void {
    const refusal = (this.refusal = { type: 'error', code, message, about: 'table' } as const)
    const long = Math.max(REFUSAL_SHOWN, TO_READ_A_LETTER * refusalText(refusal).length)
    setTimeout(() => this.refusal === refusal && (this.refusal = null), long)
    sound('no')
    buzz('no')
  }

  #cut(view: View): void {
    this.#take++
    this.#scenes = []
    this.rolled = this.faces = null
    this.events = []
    this.busy = this.stopped = this.toRoll = false
    this.handTo = ''
    this.#holder = view.turn_of
    this.view = view
    this.#pace.wake()
  }

  async #perform(): Promise<void> {
    const take = ++this.#take
    this.busy = true
    this.#pace.skipping = false
    this.#pace.hold()
    for (let scene = this.#scenes.shift(); scene; scene = this.#scenes.shift()) {
      await this.#show(scene, this.#scenes.length === 0, () => take !== this.#take)
      if (take !== this.#take) return
    }
    this.busy = false
  }

  /** `cut`: whether the performance was cut off meanwhile. */
  async #show(scene: Scene, last: boolean, cut: () => boolean): Promise<void> {
    const { steps, view } = scene
    const { words } = gameOf(view.game)
    const roll = steps.find(({ by }) => by === null)
    const moves = steps.filter(({ by }) => by !== null)
    const bots = moves.some(({ by }) => this.isBot(by))
    const stays = roll === undefined || !isSpent(roll.events)
    const ends = last && view.result !== null
    const cues: Cue[] = []
    let made: Made | null = null
    this.events = []
    if (bots && !this.company) await this.#pace.pause(BEFORE_BOT_MOVES) // people have thought already
    for (const move of moves) {
      if (cut()) return
      cues.push(...this.#tell(move, scene))
      this.#lastMove = move.step
      made = { by: move.by!, move: move.step }
      if (isStop(move.events) && view.result === null) await this.#stop(words.dwell(move, !bots))
      else if (isBeat(move.events)) await this.#pace.pause(words.dwell(move, !bots))
    }
    if (cut()) return
    const whose = stays ? view.turn_of : (moves[0]?.by ?? this.view?.turn_of ?? null)
    if (stays) this.view = view
    if (made) this.latest = made
    if (roll !== undefined) {
      const mine = whose !== null && !this.isBot(whose) && words.playerRolls(this.#lastMove)
      this.#lastMove = undefined
      this.rolled = diceOf(roll.step)
      await this.#handOver(stays ? view.turn_of : seatOf(roll.events))
      if (cut()) return
      await this.#throw(this.rolled, mine, words.ticks)
      if (cut()) return
      cues.push(...this.#tell(roll, scene))
    }
    const dwell = words.dwell((roll ?? moves.at(-1))!, !bots)
    if (!stays) await (isStop(roll.events) ? this.#stop(dwell) : this.#pace.pause(dwell))
    else if (!last && (roll !== undefined || !isBeat(this.events))) await this.#pace.pause(dwell || (bots ? AFTER_BOT_MOVED : 0))
    if (cut()) return
    this.rolled = null
    this.view = view
    if (ends && stays && !isBeat(this.events)) await this.#pace.pause(BEFORE_END)
    if (cut()) return
    if (ends && !cues.includes('box-shut')) {
      const how = outcome(view, this.table?.seats ?? [])
      if (how !== 'drawn') this.#cue([how === 'lost' ? 'lose' : 'win'])
    }
  }

  /** A step for eyes, ears and fingers. */
  #tell(step: Step, scene: Scene): Cue[] {
    this.events = [...this.events, ...step.events]
    this.told = this.#log.note(step, scene)
    this.heard?.(step, scene.view)
    return this.#cue(gameOf(scene.view.game).words.cues(step))
  }

  async #stop(time: number): Promise<void> {
    this.stopped = true
    await this.#pace.stop(time)
    this.stopped = false
  }

  /** Where people share the device, the next of them takes it before the dice are rolled. */
  async #handOver(seat: number | null): Promise<void> {
    if (seat === null || this.isBot(seat) || !this.together) return
    const before = this.#holder
    this.#holder = seat
    if (before === null || before === seat || !settings.handOver) return
    this.handTo = this.names[seat] ?? ''
    await this.#untilRolled()
    this.handTo = ''
  }

  /** The dice wait until somebody rolls them. */
  #untilRolled(): Promise<void> {
    this.toRoll = true
    return this.#pace.asleep()
  }

  /** Dice in the air: their faces change ever more slowly, until they lie. */
  async #throw(dice: number[], mine: boolean, ticks: () => number): Promise<void> {
    if (this.announcing || (mine && !settings.autoRoll)) await this.#untilRolled()
    const count = motionless() || settings.speed === 'instant' ? 0 : ticks()
    if (count) sound('roll')
    for (let tick = 0; tick < count && !this.#pace.skipping; tick++) {
      this.faces = dice.map(anyFace)
      await this.#pace.pause(50 + 8 * tick)
    }
    this.faces = null
    buzz('roll')
  }

  #cue(cues: Cue[]): Cue[] {
    for (const cue of cues) {
      const [name, size] = typeof cue === 'string' ? [cue, 1] : cue
      sound(name, size)
      buzz(name, size)
    }
    return cues
  }
}
