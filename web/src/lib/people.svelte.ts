/** What the people who share this device are called, in the order of their seats. It stays on the device. */

import { remember, remembered } from './settings.svelte'
import { t } from './texts.svelte'

const KEY = 'dicehall.people'
const RUNS = 'dicehall.people.runs'
/** So many runs, the newest, are remembered with the names of who played them. */
const MOST = 200
/** As long as a nickname may be. */
export const LONGEST = 24

export const people: Record<number, string> = $state({ ...remembered<Record<number, string>>(KEY, {}) })

$effect.root(() => {
  $effect(() => remember(KEY, people))
})

/** The name that was given to the n-th of them, counted from 1. */
export const personName = (n: number): string => people[n]?.trim().slice(0, LONGEST) || t('player', { n })

type Sat = [run: string, names: string[]][]

/** Who played a run at this device, so many people: what they are called later does not change it. */
export function keepNames(run: string, count: number): void {
  const kept = remembered<Sat>(RUNS, [])
  if (kept.some(([id]) => id === run)) return
  const names = Array.from({ length: count }, (_, n) => people[n + 1]?.trim().slice(0, LONGEST) ?? '')
  if (names.some(Boolean)) remember(RUNS, [...kept, [run, names]].slice(-MOST))
}

/** The names of those who played a run here, in the order of their seats; nothing where nobody had one. */
export function namesAt(run: string): string[] {
  const names = remembered<Sat>(RUNS, []).find(([id]) => id === run)?.[1] ?? []
  return names.map((name, n) => name || t('player', { n: n + 1 }))
}
