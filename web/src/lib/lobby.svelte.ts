/** What the hall has for this player: asked for before a screen that shows it, so that nothing moves when it comes. */

import { untrack } from 'svelte'
import type { GameNow, Lobby, RoomInfo, TableInfo } from '../wire'
import { gamesNow, lobby, myRooms } from './api'
import { meet } from './guests'
import { need } from './texts.svelte'

/** How long, in milliseconds, a screen waits for it. */
const PATIENCE = 500

/** With the tables where one plays with others, and games of others that go on now. */
export type Seen = Lobby & { others: RoomInfo[]; now: GameNow[] }

/** What has been asked for, and what was found when the screen was shown; null: it was not there yet. */
export interface Asked {
  answer: Promise<Seen>
  found: Seen | null
}

/** Tables that were opened for somebody who had gone away meanwhile. */
let missed = $state.raw<string[]>([])

export const allMissed = (): string[] => missed
export const miss = (table: string): void => void (missed = [...missed, table])

export async function look(): Promise<Seen> {
  const known = untrack(allMissed)
  const [found, now] = await Promise.all([lobby(), playedNow()])
  if (known !== missed) return look() // that one was not opened yet
  const others = found.rooms ? await together() : []
  await meet([...found.dailies, ...found.tables, ...found.bests, ...others].map(({ game }) => game))
  return { ...found, others, now }
}

/** Games that can be watched; the hall does without, too. */
export async function playedNow(): Promise<GameNow[]> {
  try {
    const games = await gamesNow()
    if (games.length) await Promise.all([meet(games.map(({ game }) => game)), need('people'), import('../parts/GamesNow.svelte')])
    return games
  } catch {
    return []
  }
}

/** They come with what shows them; the hall does without, should one of them not come. */
async function together(): Promise<RoomInfo[]> {
  const [rooms] = await Promise.all([myRooms(), need('people'), import('../parts/Rooms.svelte')]).catch(() => [[]] as const)
  return [...rooms]
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
