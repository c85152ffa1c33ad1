/** What the hall has for this player: asked for before a screen that shows it, so that nothing moves when it comes. */

import { untrack } from 'svelte'
import type { Lobby, TableInfo } from '../wire'
import { lobby } from './api'
import { meet } from './guests'

/** How long, in milliseconds, a screen waits for it. */
const PATIENCE = 500

/** What has been asked for, and what was found when the screen was shown; null: it was not there yet. */
export interface Asked {
  answer: Promise<Lobby>
  found: Lobby | null
}

/** Tables that were opened for somebody who had gone away meanwhile. */
let missed = $state.raw<string[]>([])

export const allMissed = (): string[] => missed
export const miss = (table: string): void => void (missed = [...missed, table])

export async function look(): Promise<Lobby> {
  const known = untrack(allMissed)
  const found = await lobby()
  if (known !== missed) return look() // that one was not opened yet
  await meet([...found.dailies, ...found.tables, ...found.bests].map(({ game }) => game))
  return found
}

export async function lookSoon(): Promise<Asked> {
  const answer = look()
  const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE, null))
  return { answer, found: await Promise.race([answer.catch(() => null), late]) }
}

/** The table where somebody sat last. */
let last = ''
export const sitAt = (table: string): void => void (last = table)

/** Tables to go on at, the one just left first; others where nobody has done anything yet are left out, unless nobody
 * could. */
export function unfinished(found: Lobby | null): TableInfo[] {
  const all = (found?.tables ?? []).filter(({ id, count, kind }) => id === last || missed.includes(id) || count > 1 || kind === 'daily')
  return [...all.filter(({ id }) => id === last), ...all.filter(({ id }) => id !== last)]
}
