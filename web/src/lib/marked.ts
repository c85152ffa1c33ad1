/** What has just come, where nothing may move. */

import { motionless } from './settings.svelte'

/** How long it is marked. */
const SHOWN = 1200

/** Mark what has just been put on the table, for a while; only where it is not seen to come. */
export function marked(node: HTMLElement): (() => void) | void {
  if (!motionless()) return
  node.dataset.marked = ''
  const timer = setTimeout(() => delete node.dataset.marked, SHOWN)
  return () => clearTimeout(timer)
}
