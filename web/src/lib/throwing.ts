/** Dice that are thrown by hand: by a swipe over the tray, or by shaking the device where it can tell. */

import { remember, remembered } from './settings.svelte'

/** Pixels. */
const SWIPE = 48
/** How hard the device is shaken, in m/s², how often, and within how many milliseconds. */
const JOLT = 14
const JOLTS = 2
const WITHIN = 800
const BETWEEN = 80
const ASKED = 'dicehall.motion'

/** Some devices tell how they move only when their owner allows it, and ask that on a tap alone. */
type Asking = typeof DeviceMotionEvent & { requestPermission?: () => Promise<unknown> }

/** To be called on a tap; asks at most once, and it does not matter what the answer is. */
export function askToFeel(): void {
  const ask = typeof DeviceMotionEvent === 'undefined' ? undefined : (DeviceMotionEvent as Asking).requestPermission
  if (ask === undefined || remembered(ASKED, false)) return
  remember(ASKED, true)
  void ask.call(DeviceMotionEvent).catch(() => {})
}

/** For an element over which one swipes. */
export const throwing =
  (roll: () => void) =>
  (area: HTMLElement): (() => void) => {
    let from: { x: number; y: number } | null = null
    let jolts: number[] = []
    const on = new AbortController()
    const { signal } = on

    area.addEventListener('pointerdown', ({ clientX: x, clientY: y }) => (from = { x, y }), { signal })
    area.addEventListener(
      'pointermove',
      ({ clientX, clientY }) => {
        if (!from || Math.hypot(clientX - from.x, clientY - from.y) < SWIPE) return
        from = null
        roll()
      },
      { signal },
    )
    addEventListener('pointerup', () => (from = null), { signal })
    addEventListener(
      'devicemotion',
      ({ acceleration }) => {
        const now = performance.now()
        if (!acceleration || Math.hypot(acceleration.x ?? 0, acceleration.y ?? 0, acceleration.z ?? 0) < JOLT) return
        jolts = jolts.filter((time) => now - time < WITHIN)
        if (now - (jolts.at(-1) ?? -BETWEEN) < BETWEEN) return
        jolts.push(now)
        if (jolts.length >= JOLTS) roll()
      },
      { signal },
    )
    return () => on.abort()
  }
