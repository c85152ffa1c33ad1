/** A word about what has just been done, on whatever screen that leads to. */

/** In milliseconds. */
const SHOWN = 5000

let said = $state('')
let timer: ReturnType<typeof setTimeout> | undefined

export const noticed = (): string => said

export function notice(text: string): void {
  said = text
  clearTimeout(timer)
  timer = setTimeout(() => (said = ''), SHOWN)
}
