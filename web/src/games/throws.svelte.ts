/** Throws of dice on a table's screen, one by one: each is seen to fall once. */

import { untrack } from 'svelte'
import { Fresh } from '../lib/fresh.svelte'
import { settings } from '../lib/settings.svelte'
import type { Stage } from '../lib/stage.svelte'

export class Throws {
  /** How many there were; what is keyed by it falls anew with each. */
  count = $state(0)
  readonly fresh = new Fresh()
  /** Whether the dice fall, or just lie there. */
  readonly falls = $derived.by(() => this.count > 0 && settings.speed !== 'instant')

  /** To be made while a component is. */
  constructor(stage: () => Stage) {
    let last: number[] | null = null
    $effect.pre(() => {
      const { rolled, toRoll } = stage()
      if (rolled === null || toRoll || rolled === last) return
      last = rolled
      untrack(() => {
        this.count++
        this.fresh.set()
      })
    })
  }
}
