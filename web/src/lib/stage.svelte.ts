/** What is on a table's screen, moment by moment: the newest view, or the way to it. */

import type { Snippet } from 'svelte'
import { gameOf, outcome, type Cue, type Words } from '../games'
import { PROTOCOL, type Frame, type GameEvent, type Refused, type TableShown, type View } from '../wire'
import type { Line, Seat, Watcher } from './adapter'
import { Asking } from './asking.svelte'
import { isSpent } from './events'
import { buzz } from './haptics'
import { refusalText } from './refusals'
import { motionless, settings } from './settings.svelte'
import { sound } from './sounds'
import { say, t } from './texts.svelte'

/** Steps that are shown together, a move and a roll at most, and how the table is after them. */
interface Scene {
  frames: Frame[]
  view: View
}

export const YOU = 'you'
const BEFORE_BOT_MOVES = 400
const AFTER_BOT_MOVED = 450
const REFUSAL_SHOWN = 3000
const TO_READ_A_LETTER = 60
const SPEED = { normal: 1, fast: 0.4, instant: 0 }

export const diceOf = (roll: string): number[] => [...roll.slice(1)].map(Number)
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
  /** Scenes are being shown; a tap goes to the end of them. */
  busy = $state(false)
  /** The dice wait for a tap: the player likes to roll them. */
  toRoll = $state(false)
  /** A move is on its way. */
  waiting = $state(false)
  /** It has arrived, and it takes its time until it is durable. */
  saving = $state(false)
  connection = $state<Line>('open')
  /** What happened last, for eyes and for screen readers. */
  told = $state('')
  refusal = $state.raw<Refused | null>(null)

  /** What stands in the tray instead of dice and buttons: the controls of a replay. */
  controls = $state.raw<Snippet | null>(null)
  /** What stands above the table: the question of a puzzle. */
  banner = $state.raw<Snippet | null>(null)

  readonly asking = new Asking()
  seat: Seat | null = null
  #scenes: Scene[] = []
  #then: string | null = null
  #skipping = false
  #wake: () => void = () => {}

  readonly names = $derived(this.table ? namesOf(this.table.seats) : [])
  /** The moves the player can make now. */
  readonly moves = $derived<View['moves']>(this.#myTurn() ? this.view!.moves : [])
  /** What the coach says about the position on the screen. */
  readonly advice = $derived(this.#myTurn() ? (this.table?.hint ?? null) : null)
  /** A run is looked at that is over: nobody plays here. */
  readonly replayed = $derived(this.controls !== null && this.banner === null)
  readonly over = $derived(this.view?.result != null && !this.busy)

  #myTurn(): boolean {
    return !this.busy && !this.waiting && this.view !== null && this.view.your_turn
  }

  /** Who is to move is a bot, or nobody sits here at all. */
  isBot(seat: number | null): boolean {
    return seat !== null && this.table !== null && this.table.seats[seat] !== YOU
  }

  // -- what the player does

  /** Make a move, and another one right after it if there is one to make. */
  play(move: string, then: string | null = null): void {
    if (this.busy) return this.skip()
    if (this.waiting || !this.view?.your_turn) return this.#refuse('not-your-turn')
    this.waiting = true
    this.refusal = null
    this.#then = then
    return this.seat?.play(move, then)
  }

  undo(): void {
    if (this.table?.can_undo && !this.waiting) this.seat?.undo()
  }

  /** Ask the coach about the position: for the goal chosen here last, if no other is named. */
  hint(goal: string | null = null): void {
    if (this.#myTurn()) this.seat?.hint(this.asking.ask(this.table!.id, goal))
  }

  /** Show the end of what is going on at once. */
  skip(): void {
    this.toRoll = false
    this.#skipping = true
    this.#wake()
  }

  /** A tap that means nothing here is answered too. */
  misTap(code: string): void {
    this.#refuse(code)
  }

  // -- what the table says

  shown(table: TableShown, asked = false): void {
    const before = this.table
    this.table = table
    this.waiting &&= asked
    this.saving = false
    this.asking.shown(table, table.count !== before?.count)
    if (before !== null && isCoached(table) && !isCoached(before)) this.#refuse('unranked-coach')
    const { film } = table
    if (before === null && film.length === table.count) this.view = film[0]?.view ?? null // just opened, and the others have begun
    const fresh = table.count - (before?.count ?? (this.view ? 1 : 0))
    if (this.view === null || fresh <= 0 || fresh > film.length) return this.#cut(table.view)
    this.#scenes.push(...scenesOf(film.slice(-fresh), table.view))
    if (!this.busy) void this.#perform()
    if (this.#then !== null && table.view.your_turn) {
      this.waiting = true
      this.seat?.play(this.#then)
    }
    this.#then = null
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
    this.#then = null
    this.#refuse(refusal.code, refusal.message)
  }

  /** A position to look at: of a run that is over, with what has just happened, or (with an id) of a puzzle, where one
   * can move. */
  present(view: View, seats: string[], id = '', events: GameEvent[] = []): void {
    this.table = {
      type: 'table', protocol: PROTOCOL, id, kind: 'practice', day: null, mode: '', seats, commitment: null,
      count: 0, news: [], can_undo: false, unranked: [], view, run: null, film: [], recommended: null, hint: null,
      first: null,
    }
    this.#cut(view)
    this.events = events
  }

  #refuse(code: string, message = ''): void {
    const reason = this.saving ? 'saving' : code
    const refusal = (this.refusal = { type: 'error', code: reason, message } as const)
    const long = Math.max(REFUSAL_SHOWN, TO_READ_A_LETTER * refusalText(refusal).length)
    setTimeout(() => this.refusal === refusal && (this.refusal = null), long)
    sound('no')
    buzz('no')
  }

  #cut(view: View): void {
    this.#scenes = []
    this.rolled = this.faces = null
    this.events = []
    this.view = view
  }

  async #perform(): Promise<void> {
    this.busy = true
    this.#skipping = false
    for (let scene = this.#scenes.shift(); scene; scene = this.#scenes.shift()) {
      await this.#show(scene, this.#scenes.length === 0)
    }
    this.busy = false
  }

  async #show({ frames, view }: Scene, last: boolean): Promise<void> {
    const { words } = gameOf(view.game)
    const roll = frames.find(({ by }) => by === null)
    const move = frames.find(({ by }) => by !== null)
    const bots = move !== undefined && this.isBot(move.by)
    const stays = roll === undefined || !isSpent(roll.events)
    const cues: Cue[] = []
    this.events = []
    if (move !== undefined) {
      if (bots) await this.#pause(BEFORE_BOT_MOVES)
      cues.push(...this.#tell(move, move.by, view, words))
    }
    if (stays) this.view = view
    if (roll !== undefined) {
      const mine = last && view.your_turn && words.playerRolls(move?.step)
      await this.#throw(diceOf(roll.step), mine, words.ticks)
      cues.push(...this.#tell(roll, view.turn_of, view, words))
    }
    const dwell = words.dwell((roll ?? move)!, !bots)
    if (!last || !stays) await this.#pause(dwell || (bots ? AFTER_BOT_MOVED : 0))
    this.rolled = null
    this.view = view
    if (last && view.result !== null && !cues.includes('box-shut')) {
      this.#cue([outcome(view, this.table?.seats ?? []) === 'lose' ? 'lose' : 'win'])
    }
  }

  /** A step for eyes, ears and fingers; `seat` is whose it was. */
  #tell(frame: Frame, seat: number | null, view: View, words: Words): Cue[] {
    this.events = [...this.events, ...frame.events]
    this.told = words.tell(frame, view, seat === null ? '' : (this.names[seat] ?? ''))
    return this.#cue(words.cues(frame))
  }

  /** Dice in the air: their faces change ever more slowly, until they lie. */
  async #throw(dice: number[], mine: boolean, ticks: () => number): Promise<void> {
    this.rolled = dice
    if (mine && !settings.autoRoll && !this.#skipping) {
      this.toRoll = true
      await new Promise<void>((resolve) => (this.#wake = resolve))
      this.toRoll = this.#skipping = false
    }
    const count = motionless() || settings.speed === 'instant' ? 0 : ticks()
    if (count) sound('roll')
    for (let tick = 0; tick < count && !this.#skipping; tick++) {
      this.faces = dice.map(anyFace)
      await this.#pause(50 + 8 * tick)
    }
    this.faces = null
    buzz('roll')
  }

  #cue(cues: Cue[]): Cue[] {
    for (const cue of cues) {
      sound(cue)
      buzz(cue)
    }
    return cues
  }

  #pause(time: number): Promise<void> {
    const scaled = time * SPEED[settings.speed]
    if (this.#skipping || scaled === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, scaled)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Steps that do not say how the table was after them are shown together with the next one. */
function scenesOf(film: Frame[], end: View): Scene[] {
  const scenes: Scene[] = []
  let frames: Frame[] = []
  for (const frame of film) {
    frames.push(frame)
    const view = frame.view ?? (frame === film.at(-1) ? end : null)
    if (view === null) continue
    scenes.push({ frames, view })
    frames = []
  }
  return scenes
}

/** What the seats are called: people by number where there are several, bots by their name. */
export function namesOf(seats: readonly string[]): string[] {
  const people = seats.filter((name) => name === YOU).length
  return seats.map((name, seat) =>
    name !== YOU ? botName(name) : people === 1 ? t('you') : t('player', { n: seats.slice(0, seat + 1).filter((one) => one === YOU).length }),
  )
}

export function botName(name: string): string {
  const [kind = '', level] = name.split(':')
  return say(`player.${kind}`, level === undefined ? {} : { level: Number(level) })
}
