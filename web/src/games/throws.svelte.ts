/** Throws of dice on a table's screen, one by one: each is seen to fall once. */

import { untrack } from 'svelte'
import { Fresh } from '../lib/fresh.svelte'
import { settings } from '../lib/settings.svelte'
import type { Stage } from '../lib/stage.svelte'

export class Throws {
  /** How many there were; what is keyed by it falls anew with each. */
  count = $state(0)
  readonly fresh = new Fresh()

  /** To be made while a component is. */
  constructor(private readonly stage: () => Stage) {
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

  /** Whether a die that comes now falls. One that is taken back just lies there; one that falls does so to its end,
   * though the throw is over before: so nothing follows this answer. */
  falls(): boolean {
    return untrack(() => this.stage().rolled !== null && !this.stage().toRoll && settings.speed !== 'instant')
  }
}
