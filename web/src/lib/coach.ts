/** What the coach says, in words and figures. */

import { gameOf } from '../games'
import { t, say, tenths, type Key } from './texts.svelte'
import { CHANCES, type AdvisedMove, type View } from '../wire'

/** What would be 0.00% is said in runs: 1 in 120,000. */
const RARE = 0.0005

export const isChance = (objective: string): boolean => CHANCES.some((name) => objective.startsWith(name))

/** What is played for: `target:90` is 90 points or more. */
export function goal(objective: string): string {
  const [, name = '', n = ''] = /^([a-z]+(?:<=)?):?(\d*)$/.exec(objective) ?? []
  return say(`objective.${name}`, { n: Number(n) })
}

/** A value of the objective as a player reads it: 12.5%, or 65.5. */
export function figure(objective: string, value: number, signed = false): string {
  const plus = signed && value > 0 ? '+' : ''
  if (isChance(objective) && !signed && value > 0 && value < RARE) return t('odds.one-in', { n: Number((1 / value).toPrecision(2)) })
  return plus + (isChance(objective) ? `${tenths(100 * value)}${t('percent')}` : tenths(value))
}

/** A move by its name, with what follows it at once. */
export function moveName(view: View, move: string, then: string | null = null): string {
  const { name } = gameOf(view.game).words
  return then === null ? name(move) : t('coach.then', { move: name(move), then: name(then) })
}

/** Moves of equal value count as one: the first of them stands for all. */
export interface Rank extends AdvisedMove {
  equals: number
}

export function ranks(moves: AdvisedMove[]): Rank[] {
  const found: Rank[] = []
  for (const move of moves) {
    const last = found.at(-1)
    if (last && last.value === move.value) last.equals++
    else found.push({ ...move, equals: 0 })
  }
  return found
}

export const markName = (mark: string): string => t(`mark.${mark}` as Key)
