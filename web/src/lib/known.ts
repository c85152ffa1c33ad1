/** How well somebody plays against people, in words: a number, and how far it can be off. */

import type { Estimate } from '../wire'
import { t } from './texts.svelte'

/** No year has points like these, so no thousands are set apart. */
export const points = (value: number): string => String(Math.round(value))

/** How far the number may be off either way. */
export const doubt = ({ value, low, high }: Estimate): string => points(Math.max(value - low, high - value))

/** That it is provisional still, and for how long; nothing where it is not. */
export function provisional({ provisional, games, needs = 0 }: Estimate & { needs?: number }): string {
  if (!provisional) return ''
  return games < needs ? t('known.provisional.of', { n: games, needs }) : t('known.provisional')
}
