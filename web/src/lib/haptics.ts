/** A tap that can be felt, where the device has a motor and its owner wants it. */

import { settings } from './settings.svelte'

const PATTERNS: Record<string, number | number[]> = {
  roll: 8,
  place: 12,
  set: [12, 40, 20],
  shut: 14,
  select: 6,
  destroy: [18, 40, 26],
  bank: [10, 30, 20],
  hot: [10, 30, 10, 30, 30],
  farkle: [60, 40, 90],
  no: [8, 30, 8],
  'box-shut': [30, 40, 30, 40, 120],
  win: [20, 50, 20, 50, 90],
  lose: 40,
}

/** `size`: of something greater, more. */
export function buzz(cue: string, size = 1): void {
  const pattern = PATTERNS[cue]
  if (!settings.haptics || pattern === undefined || !navigator.userActivation?.hasBeenActive) return
  const more = Array.from({ length: size - 1 }, (_, n) => [30, 20 + 10 * n]).flat()
  navigator.vibrate?.(more.length ? [pattern, more].flat(2) : pattern)
}
