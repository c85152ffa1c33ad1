/** What has just come, for those for whom nothing moves: it is set off for a while. */

import { motionless } from './settings.svelte'

const SHOWN = 1200

/** Gives what ends it early; nothing where it is seen to come anyway. */
function forAWhile(show: (on: boolean) => void): (() => void) | undefined {
  if (!motionless()) return
  show(true)
  const timer = setTimeout(() => show(false), SHOWN)
  return () => clearTimeout(timer)
}

/** For an element that has just been put on the table. */
export const asFresh = (node: HTMLElement): (() => void) | undefined => forAWhile((on) => node.toggleAttribute('data-fresh', on))

/** For something that has happened to what lies there. */
export class Fresh {
  on = $state(false)
  #end: (() => void) | undefined

  set(): void {
    this.#end?.()
    this.#end = forAWhile((on) => (this.on = on))
  }
}
