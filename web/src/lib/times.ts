/** The hall's time, and how long somebody may still think. */

import type { ClockShown } from '../wire'
import { t } from './texts.svelte'

export const SECOND = 1000

/** The hall's time by what it has told: the device's own clock may be wrong, or set while somebody plays. */
export class HallTime {
  #ahead: number | null = null

  /** A message has come in which the hall tells its time. What was quickest on its way is nearest to the truth. */
  heard(now_ms: number): void {
    this.#ahead = Math.max(now_ms - performance.now(), this.#ahead ?? -Infinity)
  }

  /** The line was cut: meanwhile the device may have slept. */
  forget(): void {
    this.#ahead = null
  }

  get now(): number {
    return performance.now() + (this.#ahead ?? Date.now() - performance.now())
  }
}

/** What a seat has left: of this move's own time (null: it is not its turn), and of its reserve. */
export interface Left {
  own: number | null
  reserve: number
}

export function leftOf(times: ClockShown, seat: number, now: number): Left {
  const reserve = times.reserves_ms[seat] ?? 0
  if (times.turn !== seat) return { own: null, reserve }
  if (times.begin_ms !== null) return { own: Math.max(0, times.begin_ms - now), reserve: 0 } // a first move has no reserve
  const spent = Math.max(0, now - times.since_ms)
  return { own: Math.max(0, times.own_ms - spent), reserve: Math.max(0, reserve - Math.max(0, spent - times.own_ms)) }
}

const two = (n: number): string => String(n).padStart(2, '0')

/** As a clock shows it: what is left of a second counts as one. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / SECOND)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** In words, where there are days or hours of it. */
export function spanText(ms: number): string {
  const hours = Math.ceil(ms / 3_600_000)
  if (hours > 48) return t('clock.days', { n: Math.floor(hours / 24) })
  return hours > 1 ? t('clock.hours', { n: hours }) : clockText(ms)
}

/** A clock as people agree on it: `none`, `30+120`, `3d`. */
export function clockName(clock: string): string {
  if (clock === 'none') return t('clock.none')
  if (clock.endsWith('d')) return t('clock.a-move.days', { n: Number.parseInt(clock) })
  const [move, reserve] = clock.split('+')
  return t('clock.a-move', { n: Number(move), reserve: clockText(Number(reserve) * SECOND) })
}
