/** Why something did not happen, in words: the hall speaks in codes. */

import type { Line } from './adapter'
import { known, say, t, type Key } from './texts.svelte'

/** What the hall has refused; where we have no words for its code, its own. */
export function refusalText({ code, message }: { code: string; message: string }): string {
  if (code === 'away') return t('away')
  if (known(`error.${code}`)) return say(`error.${code}`)
  return message ? t('refused', { message }) : t('refused.silently')
}

const LINES: Record<Exclude<Line, 'open'>, Key> = {
  lost: 'line.lost',
  later: 'line.later',
  stale: 'line.stale',
  gone: 'line.gone',
  damaged: 'error.damaged',
  banned: 'error.banned',
  'signed-out': 'error.not-signed-in',
}

/** Why there is no table to be seen, or why it does not answer. */
export const lineText = (line: Line): string => (line === 'open' ? '' : t(LINES[line]))
