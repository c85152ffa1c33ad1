/** A word from the device when it is one's turn and the page is out of sight. */

import { remember, remembered } from './settings.svelte'

const KEY = 'dicehall.notify'

/** Only what has come over a safe line may ask for it. */
export const mayNotify = 'Notification' in globalThis && isSecureContext

let wanted = $state<boolean>(mayNotify && remembered(KEY, false) && Notification.permission === 'granted')

export const isNotified = (): boolean => wanted

/** Whether it is so now: the device may refuse. */
export async function notify(on: boolean): Promise<boolean> {
  wanted = on && mayNotify && (await Notification.requestPermission()) === 'granted'
  remember(KEY, wanted)
  return wanted
}

/** One about a `room` takes the place of the one before. */
export function tell(room: string, title: string, body: string): void {
  if (!wanted || !document.hidden) return
  try {
    const word = new Notification(title, { body, tag: room })
    word.onclick = () => (focus(), word.close())
  } catch {
    // some devices know them from an app alone
  }
}
