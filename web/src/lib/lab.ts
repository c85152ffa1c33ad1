/** The lab's figures and rows. */

import type { Compared, Objective } from '../wire'
import { difference, figure, isChance } from './coach'
import { settings } from './settings.svelte'
import { t, type Key } from './texts.svelte'

/** From here on a number is said in words: 14.2 billion. */
const LARGE = 1e6

/** A value as the coach says it, but never longer than a phone is wide. */
export function short(objective: Objective, value: number, signed = false): string {
  if (isChance(objective) || Math.abs(value) < LARGE) return signed ? difference(objective, value) : figure(objective, value)
  const words = new Intl.NumberFormat(settings.language, {
    notation: 'compact',
    compactDisplay: settings.language === 'de' ? 'short' : 'long',
    maximumFractionDigits: 1,
    signDisplay: signed ? 'exceptZero' : 'auto',
  })
  return words.format(value).replace('-', '−')
}

export const differs = ({ usual, changed, usual_lacks, changed_lacks }: Compared): boolean => usual !== changed || usual_lacks !== changed_lacks

/** The value, or why there is none. */
export const usualText = ({ about, usual, usual_lacks }: Compared): string => valueText(about, usual, usual_lacks)
export const changedText = ({ about, changed, changed_lacks }: Compared): string => valueText(about, changed, changed_lacks)

const valueText = (objective: Objective, value: number | null, lacks: string | null): string =>
  value === null ? t(`lab.${lacks}` as Key) : short(objective, value)
