/** Throws of dice on a table's screen, one by one: each is seen to fall once. */

import { untrack } from 'svelte'
import { motionless, settings } from '../lib/settings.svelte'
import type { Stage } from '../lib/stage.svelte'

/** How long a mark stands in for what does not move. */
const MARKED = 1200

/** Something has just happened, which those see by a mark for whom nothing moves. */
export class Mark {
  on = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined

  set(): void {
    if (!motionless()) return
    clearTimeout(this.#timer)
    this.on = true
    this.#timer = setTimeout(() => (this.on = false), MARKED)
  }
}

export class Throws {
  /** How many there were; what is keyed by it falls anew with each. */
  count = $state(0)
  readonly mark = new Mark()
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
        this.mark.set()
      })
    })
  }
}
