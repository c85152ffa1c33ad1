/** Which puzzles this device has solved at the first try, and which it has not. */

import type { PuzzleInfo } from '../wire'
import { remember, remembered } from './settings.svelte'

const keyOf = (game: string): string => `dicehall.puzzles.${game}`
const missedKeyOf = (game: string): string => `${keyOf(game)}.missed`

export const solved = (game: string): number[] => remembered<number[]>(keyOf(game), [])
const missed = (game: string): number[] => remembered<number[]>(missedKeyOf(game), [])

/** The first answer to a puzzle; no later one changes what it was. */
export function answered(game: string, number: number, right: boolean): void {
  const [key, before] = right ? [keyOf(game), solved(game)] : [missedKeyOf(game), missed(game)]
  if (!isAnswered(game, number)) remember(key, [...before, number])
}

export const isAnswered = (game: string, number: number): boolean => [...solved(game), ...missed(game)].includes(number)

/** The first that was never tried, in the order in which they come: plain ones first. Then, round and round, those that
 * are not solved; then all of them. */
export function nextPuzzle(game: string, order: PuzzleInfo[], after = 0): number {
  const done = solved(game)
  const here = 1 + order.findIndex(({ number }) => number === after)
  const others = [...order.slice(here), ...order.slice(0, here)].filter(({ number }) => number !== after)
  const fresh = order.find(({ number }) => number !== after && !isAnswered(game, number))
  const open = others.find(({ number }) => !done.includes(number))
  return (fresh ?? open ?? others[0])?.number ?? 1
}
