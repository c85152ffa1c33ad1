/** How long what happens at a table is shown, and how a tap shortens that. In milliseconds, at the usual speed. */

import { settings } from './settings.svelte'
import { ECHO } from './taps'

export const BEFORE_BOT_MOVES = 400
export const AFTER_BOT_MOVED = 450
/** The last move is seen before the end takes its place. */
export const BEFORE_END = 700
/** How long it is shown, at any speed, that a turn or a round has ended. */
const STOP = 1000
const SPEED = { normal: 1, fast: 0.4, instant: 0 }

export class Pace {
  /** Nothing is paused for, up to the next stop. */
  skipping = false
  /** Ends what is being waited for. */
  wake: () => void = () => {}
  #held = 0

  /** What comes now is not skipped by the echo of a tap. */
  hold(): void {
    this.#held = performance.now() + ECHO
  }

  /** Go on at once to the next stop, or to the end; but not while it is held. */
  skip(): void {
    if (performance.now() < this.#held) return
    this.skipping = true
    this.wake()
  }

  pause(time: number): Promise<void> {
    const scaled = time * SPEED[settings.speed]
    return this.skipping || scaled === 0 ? Promise.resolve() : this.#wait(scaled)
  }

  /** The end of a turn or of a round is seen at any speed; what follows it is skipped by another tap. */
  stop(time: number): Promise<void> {
    this.skipping = false
    this.hold()
    return this.#wait(Math.max(STOP, time * SPEED[settings.speed]))
  }

  /** Until somebody wakes it. */
  async asleep(): Promise<void> {
    await new Promise<void>((resolve) => (this.wake = resolve))
    this.skipping = false
  }

  #wait(time: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
