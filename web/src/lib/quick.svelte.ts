/** Looking for somebody to play with. The search outlives its screen while a game is played meanwhile; anywhere else it
 * ends. */

import type { QuickRefused, QuickShown } from '../wire'
import { isEnded, type Line, type Watcher } from './adapter'
import { notice } from './notice.svelte'
import { tell } from './notify.svelte'
import { POOLS } from './pools'
import type { Place } from './router.svelte'
import { ServerSeat } from './server'
import { t } from './texts.svelte'
import { HallTime, SECOND } from './times'

const TICK = 250
/** The hall tells how it stands every second: after so many ticks without a word it is asked again. */
const SILENT = (8 * SECOND) / TICK
/** Silent again as soon as that: somebody looks in another window, whom the hall tells instead. */
const AGAIN = 60 * SECOND

class Seeker extends ServerSeat {
  constructor(
    pool: string,
    private readonly search: Search,
  ) {
    super(`quick/${pool}`, '', search)
  }

  protected override inQuick(shown: QuickShown): void {
    this.search.told(shown)
  }

  protected override tooSoon(refused: QuickRefused): void {
    this.search.wait(refused)
  }
}

export class Search implements Watcher {
  seen = $state.raw<QuickShown | null>(null)
  connection = $state<Line | 'elsewhere'>('open')
  /** The hall's time, a few times a second. */
  now = $state(0)
  /** Since when somebody is looked for: also before the line was cut. */
  since = $state<number | null>(null)
  /** Where the game is, once somebody is found. */
  room = $state<string | null>(null)
  /** A game is played until somebody comes. */
  meanwhile = false
  /** Whoever leaves games has to wait: until then nobody is looked for. */
  later = $state<number | null>(null)
  #until = Infinity
  readonly #time = new HallTime()
  #seeker: Seeker
  readonly #ticking: number
  #silent = 0
  #asked = -Infinity

  constructor(readonly pool: string) {
    this.#seeker = new Seeker(pool, this)
    this.#ticking = window.setInterval(this.#tick, TICK)
  }

  /** How long somebody has been looked for, in whole seconds, as milliseconds. */
  readonly waited = $derived(this.since === null ? 0 : Math.max(0, SECOND * Math.floor((this.now - this.since) / SECOND)))
  /** How long the table is kept that was found, or until a larger one begins; null: neither. */
  readonly left = $derived.by(() => {
    const at = this.room === null ? (this.seen?.starts_ms ?? null) : this.#until
    return at === null ? null : Math.max(0, at - this.now)
  })
  /** How long nobody is looked for yet; null: somebody is. */
  readonly waits = $derived(this.later === null ? null : Math.max(0, this.later - this.now))
  /** Nobody came to the table that was found. */
  readonly late = $derived(this.room !== null && this.left === 0)

  told(shown: QuickShown): void {
    this.#time.heard(shown.now_ms)
    this.now = this.#time.now
    this.since ??= shown.since_ms
    this.seen = shown
    this.#silent = 0
    this.line('open')
    if (shown.room === null || this.room !== null) return
    this.#until = shown.until_ms ?? Infinity
    this.room = shown.room
    this.#seeker.leave()
    tell(shown.room, t('quick.found'), t(`game.${POOLS[this.pool]!.game}` as 'game.farkle'))
  }

  wait({ now_ms, until_ms }: QuickRefused): void {
    this.#time.heard(now_ms)
    this.now = this.#time.now
    this.line('open')
    this.later = until_ms
    this.since = null
    this.#seeker.leave()
  }

  line(state: Line): void {
    if (state !== 'open') this.#time.forget()
    this.#silent = 0
    this.connection = state
  }

  // An earlier one of this player ends in the hall, without a word.
  #tick = (): void => {
    this.now = this.#time.now
    if (this.waits !== null) return void (this.waits === 0 && this.#seek())
    if (this.connection !== 'open' || this.room !== null || ++this.#silent < SILENT) return
    this.#seeker.leave()
    if (performance.now() - this.#asked < AGAIN) this.connection = 'elsewhere'
    else this.again()
  }

  /** Look from here. */
  again(): void {
    this.#asked = performance.now()
    this.#seek()
  }

  #seek(): void {
    this.#silent = 0
    this.later = null
    this.connection = 'open'
    this.#seeker.leave()
    this.#seeker = new Seeker(this.pool, this)
  }

  end(): void {
    clearInterval(this.#ticking)
    this.#seeker.leave()
  }

  // What only a table has to say.
  shown(): void {}
  delayed(): void {}
  refused(): void {}
}

let search = $state.raw<Search | null>(null)

/** The search that goes on, or has found somebody who waits. */
export const searching = (): Search | null => search

/** Look in that pool: from now on, or as before. */
export function look(pool: string): Search {
  if (search?.pool === pool && !search.late && (search.connection === 'elsewhere' || !isEnded(search.connection))) return search
  search?.end()
  return (search = new Search(pool))
}

function stop(): void {
  search?.end()
  search = null
}

/** Somebody is somewhere else on the page now. Whoever was found waits there, too. */
export function follow({ screen, path: [at] }: Place): void {
  if (search === null) return
  const { pool, room, meanwhile } = search
  if (room !== null) return void (screen === 'room' && at === room && stop())
  if (screen === 'quick' && at === pool) return void (search.meanwhile = false)
  if (meanwhile && (screen === 'play' || screen === 'table')) return
  stop()
  if (meanwhile) notice(t('quick.stopped'))
}

/** The table that was found is closed by now. */
export function miss(): void {
  stop()
  notice(t('quick.late'))
}
