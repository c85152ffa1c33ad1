/** Runs to beat: which one, by the table where somebody tries. It stays on the device. */

import type { Shared } from '../wire'
import { remember, remembered } from './settings.svelte'
import { say, t, versus } from './texts.svelte'

const KEY = 'dicehall.rivals'
const MOST = 20

type Rivals = Record<string, string>

export function challenge(table: string, run: string): void {
  const others = Object.entries(remembered<Rivals>(KEY, {})).filter(([id]) => id !== table)
  remember(KEY, Object.fromEntries([...others, [table, run]].slice(-MOST)))
}

/** The run that is to be beaten at a table; null: none. */
export const rivalAt = (table: string): string | null => remembered<Rivals>(KEY, {})[table] ?? null

/** Its result: 73 points, or of several seats 71 : 48. */
export const resultOf = ({ scores, score, aim }: Shared): string => (scores.length > 1 ? versus(scores) : say(`aim.${aim}`, { n: score }))

export function toBeat(run: Shared): string {
  const score = resultOf(run)
  return run.nickname ? t('beat.score', { score, who: run.nickname }) : t('beat.score.nameless', { score })
}
