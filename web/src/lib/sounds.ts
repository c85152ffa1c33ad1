/** What is to be heard. How it is made comes with the first sound, after the first touch. */

import { settings } from './settings.svelte'

let context: AudioContext | null = null
let maker: Promise<typeof import('./synthesiser')> | null = null

/** `size`: of something greater, more. Browsers let a page sound only after a touch; until then there is nothing to hear. */
export function sound(cue: string, size = 1): void {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return
  const audio = (context ??= new AudioContext())
  if (audio.state === 'suspended') void audio.resume()
  maker ??= import('./synthesiser')
  maker.then(
    ({ play }) => play(audio, cue, size),
    () => (maker = null), // asked for again by the next sound
  )
}
