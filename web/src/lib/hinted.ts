/** Which moves of what the coach said are marked on a board. */

import type { AdvisedMove } from '../wire'

/** So many moves of equal value are each named, and the best of them marked. */
export const FEW = 3

/** The best moves, where they are few; of many the first stands for all. */
export function bestOf(advice: { moves: AdvisedMove[] } | null): string[] {
  const best = (advice?.moves ?? []).filter(({ loss }) => loss === 0).map(({ move }) => move)
  return best.length > FEW ? best.slice(0, 1) : best
}
