/** What lies over the page has an entry of its own in the browser's history: the way back closes it, and the page stays. */

import { replace, screenNow, stay } from './router.svelte'

/** What closes each of them, the topmost last. */
const open: (() => void)[] = []
/** We have gone a step back ourselves, and not arrived yet. */
let leaving = false
/** When that was; for so long, in milliseconds, a browser may take to do it. */
let left = 0
const SOON = 500

const covered = (): boolean => (history.state as { covers?: true } | null)?.covers === true
const enter = (): void => history.pushState({ covers: true }, '')

function leave(): void {
  if (leaving && Date.now() - left < SOON) return // on our way: twice would be out of the page
  leaving = true
  left = Date.now()
  history.back()
}

/** Nothing lies over the page, though there is an entry for it: a link out of a sheet has left it behind. Or somebody has
 * gone elsewhere while we were on our way back, which has undone that. */
const onwards = (): void => (Date.now() - left < SOON ? history.forward() : leave())

addEventListener('popstate', () => {
  const ours = leaving
  leaving = false
  if (covered()) return void (open.length || onwards())
  if (ours || open.length) stay()
  if (!ours) open.pop()?.()
  if (open.length) enter()
})
if (covered()) leave() // the page was loaded anew

/** Goes to a place without a way back to here, once what lay over the page has gone with its entry. */
export function replaceCovered(to: string): void {
  if (!covered()) return replace(to)
  const from = screenNow()
  addEventListener('popstate', function arrived() {
    if (covered()) return
    removeEventListener('popstate', arrived)
    if (screenNow() === from) replace(to)
  })
}

/** Something lies over the page, and is closed so; what is returned is to be called when it has gone. */
export function cover(close: () => void): () => void {
  open.push(close)
  if (!covered()) enter()
  return () => {
    const at = open.indexOf(close)
    if (at >= 0) open.splice(at, 1)
    setTimeout(() => open.length || !covered() || leave()) // one that follows another takes over its entry
  }
}
