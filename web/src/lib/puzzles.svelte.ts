/** Which puzzles this device has solved at the first try. */

import type { PuzzleInfo } from '../wire'
import { remember, remembered } from './settings.svelte'

const keyOf = (game: string): string => `dicehall.puzzles.${game}`

export const solved = (game: string): number[] => remembered<number[]>(keyOf(game), [])

export function solve(game: string, number: number): void {
  remember(keyOf(game), [...new Set([...solved(game), number])])
}

/** The easiest that is not solved yet; after the last of them, the first again. */
export function nextPuzzle(game: string, all: PuzzleInfo[], after = 0): number {
  const done = solved(game)
  const open = all.filter(({ number }) => !done.includes(number) && number !== after)
  const easiest = Math.min(...open.map(({ difficulty }) => difficulty))
  return (open.find(({ difficulty }) => difficulty === easiest) ?? all.find(({ number }) => number > after) ?? all[0])?.number ?? 1
}
