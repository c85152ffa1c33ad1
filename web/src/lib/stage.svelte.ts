/** What is on a table's screen, moment by moment: the newest view, or the way to it. */

import type { Snippet } from 'svelte'
import { gameOf, outcome, type Cue } from '../games'
import { PROTOCOL, type Refused, type TableShown, type View } from '../wire'
import type { Line, Seat, Watcher } from './adapter'
import { Asking } from './asking.svelte'
import { buzz } from './haptics'
import { refusalText } from './refusals'
import { motionless, settings } from './settings.svelte'
import { sound } from './sounds'
import { say, t } from './texts.svelte'

/** Steps that are shown together, and how the table is after them. */
interface Scene {
  steps: string[]
  view: View
}

export const YOU = 'you'
const BEFORE_BOT_MOVES = 400
const AFTER_BOT_MOVED = 450
const REFUSAL_SHOWN = 3000
const TO_READ_A_LETTER = 60
const SPEED = { normal: 1, fast: 0.4, instant: 0 }

export const isRoll = (step: string): boolean => step.startsWith('d')
export const diceOf = (roll: string): number[] => [...roll.slice(1)].map(Number)
const isCoached = ({ unranked }: TableShown): boolean => unranked.includes('coach') // asked elsewhere about the position
const anyFace = (): number => 1 + Math.floor(6 * Math.random())

export class Stage implements Watcher {
  /** The table as the server has it; the screen may still be on its way there. */
  table = $state.raw<TableShown | null>(null)
  view = $state.raw<View | null>(null)
  /** The last roll while it is in the air, and afterwards if the view has moved on without it. */
  rolled = $state.raw<number[] | null>(null)
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
    if (before === null && table.film.length && table.film.length === table.count - 1) {
      this.view = table.film[0]!.view // just opened, and the others have begun
    }
    const fresh = table.count - (before?.count ?? (this.view ? 1 : 0))
    if (this.view === null || fresh <= 0) return this.#cut(table.view)
    const film = table.film.slice(Math.max(0, table.film.length - fresh + 1))
    const steps = film.length ? table.news.slice(-1) : table.news.slice(-fresh)
    this.#scenes.push(...film.map(({ step, view }) => ({ steps: [step], view })), { steps, view: table.view })
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

  /** A position to look at: of a run that is over, or (with an id) of a puzzle, where one can move. */
  present(view: View, seats: string[], id = ''): void {
    this.table = {
      type: 'table', protocol: PROTOCOL, id, kind: 'practice', day: null, mode: '', seats, commitment: null,
      count: 0, news: [], can_undo: false, unranked: [], view, run: null, film: [], recommended: null, hint: null,
      first: null,
    }
    this.#cut(view)
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

  async #show({ steps, view }: Scene, last: boolean): Promise<void> {
    const before = this.view!
    const { words } = gameOf(view.game)
    const roll = steps.find(isRoll)
    const move = steps.find((step) => !isRoll(step))
    const bots = this.isBot(before.to_move)
    const by = before.to_move ?? before.turn_of
    const who = (seat: number | null): string => (seat === null ? '' : (this.names[seat] ?? ''))
    const cues: Cue[] = []
    if (move !== undefined) {
      if (bots) await this.#pause(BEFORE_BOT_MOVES)
      cues.push(...this.#cue(words.cues(before, move, view)))
      this.told = words.tell(before, move, view, who(by))
    }
    const lingers = roll === undefined || words.dice(view).length > 0
    if (lingers) this.view = view
    if (roll !== undefined) {
      const mine = last && view.your_turn && words.playerRolls(before, move)
      await this.#throw(diceOf(roll), mine, words.ticks)
      cues.push(...this.#cue(words.cues(before, roll, view)))
      this.told = words.tell(before, roll, view, who(lingers ? view.turn_of : by))
    }
    const dwell = words.dwell(before, roll ?? move ?? '', view)
    if (!last || !lingers) await this.#pause(dwell || (bots && move !== undefined ? AFTER_BOT_MOVED : 0))
    this.rolled = null
    this.view = view
    if (last && view.result !== null && !cues.includes('box-shut')) {
      this.#cue([outcome(view, this.table?.seats ?? []) === 'lose' ? 'lose' : 'win'])
    }
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
