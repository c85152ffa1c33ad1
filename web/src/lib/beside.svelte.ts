/** What stays beside whatever screen there is, such as a word that somebody has come. Few need it, so it is loaded by those. */

import type { Component } from 'svelte'

let what = $state.raw<Component | null>(null)

export const beside = (): Component | null => what
export const accompany = (by: Component): void => void (what = by)
