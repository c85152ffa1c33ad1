/** What this browser adds to the dice of a game with others: a seed that nobody else could choose or know (docs/dice.md). */

import { remember, remembered } from './settings.svelte'
import { sha256 } from './sha256'

/** By the commitment of the house for that game. They outlast the page: a seed that was sealed has to be opened, and where
 * a move has days that may be much later. Another tab of this browser opens the same one. */
const KEY = 'dicehall.contributions'
const MOST = 50

type Kept = [commitment: string, seed: string][]

function fresh(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** In this visit, should the device keep nothing. */
const now = new Map<string, string>()

/** The seed that was drawn for this game, if it was drawn here. */
export function seedFor(commitment: string): string | null {
  return now.get(commitment) ?? remembered<Kept>(KEY, []).find(([one]) => one === commitment)?.[1] ?? null
}

/** The same, drawn where there is none. */
export function drawnFor(commitment: string): string {
  const known = seedFor(commitment)
  if (known !== null) return known
  const seed = fresh()
  now.set(commitment, seed)
  remember(KEY, [...remembered<Kept>(KEY, []), [commitment, seed]].slice(-MOST))
  return seed
}

/** What is published of a seed before any is opened. */
export const sealOf = (commitment: string, seat: number, seed: string): string => sha256(`dicehall/1/contribution/${commitment}/${seat}/${seed}`)
