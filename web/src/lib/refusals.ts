/** Why something did not happen, in words: the hall speaks in codes. */

import type { Line } from './adapter'
import { known, say, t, type Key } from './texts.svelte'

/** The hall could not read what was sent; what it says of that is about fields and bytes, and for nobody who plays. */
const UNREADABLE: readonly string[] = ['request', 'text', 'body-length', 'message', 'message-length']

/** What the hall has refused; where we have no words for its code, its own. */
export function refusalText({ code, message }: { code: string; message: string }): string {
  if (code === 'away') return t('away')
  if (UNREADABLE.includes(code)) return t('error.request')
  if (code === 'http') return t('refused.silently') // said by whoever stands before the hall
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
