/** Fingers that trembled, or hurried: a tap that only echoes another means nothing. */

/** After a tap that has moved, one so soon (in milliseconds) and so near (in pixels) is its echo. */
export const ECHO = 500
const NEAR = 40

/** Where and when a finger was. */
interface Tap {
  x: number
  y: number
  time: number
}

export class Taps {
  /** Whether the last one is an echo. */
  echo = false
  #last: Tap | null = null
  /** The one that has made the last move, as long as no other has followed. */
  #moved: Tap | null = null

  /** A finger was here (null: a key was pressed). */
  heard(at: { clientX: number; clientY: number } | null): boolean {
    const tap = at && { x: at.clientX, y: at.clientY, time: performance.now() }
    const moved = this.#moved
    this.echo = tap !== null && moved !== null && tap.time - moved.time < ECHO && Math.hypot(tap.x - moved.x, tap.y - moved.y) < NEAR
    if (!this.echo) this.#moved = null
    this.#last = tap
    return this.echo
  }

  /** The last one has made a move. */
  moved(): void {
    this.#moved = this.#last
  }
}
