/** What happened with a step, as the hall says it. */

import type { Cue } from '../games'
import type { GameEvent } from '../wire'

type Code = GameEvent['code']

/** The event of that code, if there was one. */
export const happened = <C extends Code>(events: readonly GameEvent[], code: C): Extract<GameEvent, { code: C }> | undefined =>
  events.find((event): event is Extract<GameEvent, { code: C }> => event.code === code)

const SPENT: readonly Code[] = ['farkle', 'stuck', 'drawn']

/** Whether the dice of a roll are gone with it: they are not in the position after it. */
export const isSpent = (events: readonly GameEvent[]): boolean => events.some(({ code }) => SPENT.includes(code))

const STOPS: readonly Code[] = ['farkle', 'stuck', 'box-shut', 'all-open']

/** Whether a turn or a round has ended in a way that nobody may miss. */
export const isStop = (events: readonly GameEvent[]): boolean => events.some(({ code }) => STOPS.includes(code))

/** Whether points have been written down, which are seen before the next dice are thrown. */
export const isBeat = (events: readonly GameEvent[]): boolean => happened(events, 'banked') !== undefined

/** The seat that the first of them is about, where they say so. */
export function seatOf([first]: readonly GameEvent[]): number | null {
  return first !== undefined && 'seat' in first ? first.seat : null
}

/** Equal dice that have come together, to hear and to feel: three are more than two, and so are two lines at once. */
export function setCues(events: readonly GameEvent[]): Cue[] {
  const size = events.reduce((sum, event) => (event.code === 'set-made' ? sum + event.times - 1 : sum), 0)
  return size ? [['set', size]] : []
}
