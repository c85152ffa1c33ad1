/** A tap that can be felt, where the device has a motor and its owner wants it. */

import { settings } from './settings.svelte'

const PATTERNS: Record<string, number | number[]> = {
  roll: 8,
  place: 12,
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

export function buzz(cue: string): void {
  const pattern = PATTERNS[cue]
  if (settings.haptics && pattern !== undefined && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern)
}
