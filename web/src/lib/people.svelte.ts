/** What the people who share this device are called, in the order of their seats. It stays on the device. */

import { remember, remembered } from './settings.svelte'
import { t } from './texts.svelte'

const KEY = 'dicehall.people'
/** As long as a nickname may be. */
export const LONGEST = 24

export const people: Record<number, string> = $state({ ...remembered<Record<number, string>>(KEY, {}) })

$effect.root(() => {
  $effect(() => remember(KEY, people))
})

/** The name that was given to the n-th of them, counted from 1. */
export const personName = (n: number): string => people[n]?.trim().slice(0, LONGEST) || t('player', { n })
