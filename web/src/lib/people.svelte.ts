/** Who sits at a table, and what they are called. The names of people who share this device stay on it. */

import { botName } from './catalog'
import { remember, remembered } from './settings.svelte'
import { t } from './texts.svelte'

/** A person's seat, as tables have it; any other is a player of the house by its name. */
export const YOU = 'you'
/** Another person's seat, where everybody has a device. */
export const PERSON = 'person'
const KEY = 'dicehall.people'
const RUNS = 'dicehall.people.runs'
/** So many runs, the newest, are remembered with the names of who played them. */
const MOST = 200
/** As long as a nickname may be, as the hall counts it: composed, by code points. */
const LONGEST = 24
const lengthOf = (name: string): number => [...name.normalize('NFC')].length

/** What people see as one, such as a flag of two signs, is not taken apart; where the browser cannot tell, no sign is. */
export const characters = (name: string): string[] =>
  'Segmenter' in Intl ? Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment) : [...name]

/** As much of a name as there is room for. */
function fitting(name: string): string {
  if (lengthOf(name) <= LONGEST) return name
  let kept = ''
  for (const one of characters(name)) {
    if (lengthOf(kept + one) > LONGEST) break
    kept += one
  }
  return kept
}

/** What does not fit into a name is left off where it is typed or pasted; what that was. Else nothing. */
export function leftOff(field: HTMLInputElement): string {
  const kept = fitting(field.value)
  const rest = field.value.slice(kept.length)
  if (rest) field.value = kept
  return rest
}

/** What is said of a name's length: nothing, as long as it has room. */
export function lengthText(name: string, rest: string): string {
  if (rest) return t('name.cut', { n: LONGEST, rest: fitting(rest) === rest ? rest : `${fitting(rest)}…` })
  return lengthOf(name) < LONGEST ? '' : t('name.longest', { n: LONGEST })
}

export const people: Record<number, string> = $state({ ...remembered<Record<number, string>>(KEY, {}) })

$effect.root(() => {
  $effect(() => remember(KEY, people))
})

/** The name that was given to the n-th of them, counted from 1. */
export const personName = (n: number): string => fitting(people[n]?.trim() ?? '') || t('player', { n })

type Sat = [run: string, names: string[]][]

/** Who played a run at this device, so many people: what they are called later does not change it. */
export function keepNames(run: string, count: number): void {
  const kept = remembered<Sat>(RUNS, [])
  if (kept.some(([id]) => id === run)) return
  const names = Array.from({ length: count }, (_, n) => fitting(people[n + 1]?.trim() ?? ''))
  if (names.some(Boolean)) remember(RUNS, [...kept, [run, names]].slice(-MOST))
}

/** The names of those who played a run here, in the order of their seats; nothing where nobody had one. */
export function namesAt(run: string): string[] {
  const names = remembered<Sat>(RUNS, []).find(([id]) => id === run)?.[1] ?? []
  return names.map((name, n) => name || t('player', { n: n + 1 }))
}

/** Where people sit; and how many of them there are. */
export const personSeats = (seats: readonly string[]): number[] => seats.flatMap((name, seat) => (name === YOU ? [seat] : []))
export const peopleAt = (seats: readonly string[]): number => personSeats(seats).length

/** Which one of that name sits there, counted from 1. */
const countOf = (name: string, names: readonly string[], seat: number): number => names.slice(0, seat + 1).filter((one) => one === name).length

/** What the seats are called: several people by the names they have `here`, at their own device (or had, when they played),
 * or else by number; bots by theirs; of equal names each has its number. `person`: who sits there alone. */
export function namesOf(seats: readonly string[], person: string | null = null, here: boolean | readonly string[] = false): string[] {
  const several = peopleAt(seats) > 1
  const names = seats.map((name, seat) => {
    if (name !== YOU) return botName(name)
    if (!several) return person ?? t('you')
    const n = peopleAt(seats.slice(0, seat + 1))
    if (typeof here !== 'boolean') return here[n - 1] ?? t('player', { n })
    return here ? personName(n) : t('player', { n })
  })
  return numbered(names)
}

/** Of equal names each has its number. */
export const numbered = (names: readonly string[]): string[] =>
  names.map((name, n) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${countOf(name, names, n)}`))
