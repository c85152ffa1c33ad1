/** What the hall has for this player: asked for before a screen that shows it, so that nothing moves when it comes. */

import { untrack } from 'svelte'
import type { Lobby, TableInfo } from '../wire'
import { lobby } from './api'
import { meet } from './guests'
import { before } from './router.svelte'

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

/** Tables to go on at, the one just left first; those where nobody has done anything yet are left out, unless nobody could. */
export function unfinished(found: Lobby | null): TableInfo[] {
  const from = before()
  const left = from?.screen === 'table' ? from.path[0] : undefined
  const all = (found?.tables ?? []).filter(({ id, count, kind }) => id === left || missed.includes(id) || count > 1 || kind === 'daily')
  return [...all.filter(({ id }) => id === left), ...all.filter(({ id }) => id !== left)]
}
