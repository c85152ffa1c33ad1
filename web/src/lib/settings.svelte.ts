/** What a person has chosen, kept on this device. */

export type Language = 'en' | 'de'

interface Choices {
  theme: 'system' | 'light' | 'dark'
  language: Language
  sound: boolean
  haptics: boolean
  motion: 'system' | 'reduced'
  speed: 'normal' | 'fast' | 'instant'
  autoRoll: boolean
  /** Place with one tap instead of a first one that only shows what would be. */
  oneTap: boolean
  /** Players of the house say something now and then. */
  remarks: boolean
  /** Where people share a device, it waits until it has been handed over. */
  handOver: boolean
}

const KEY = 'dicehall.settings'

function usual(): Choices {
  const german = navigator.languages.find((one) => /^(de|en)\b/.test(one))?.startsWith('de')
  return {
    theme: 'system',
    language: german ? 'de' : 'en',
    sound: true,
    haptics: true,
    motion: 'system',
    speed: 'normal',
    autoRoll: true,
    oneTap: false,
    remarks: true,
    handOver: matchMedia('(pointer: coarse)').matches,
  }
}

export const settings: Choices = $state({ ...usual(), ...remembered<Partial<Choices>>(KEY, {}) })

$effect.root(() => {
  $effect(() => remember(KEY, settings))
  $effect(() => {
    const root = document.documentElement
    root.dataset.theme = settings.theme
    root.dataset.motion = settings.motion
  })
})

const still = matchMedia('(prefers-reduced-motion: reduce)')

/** Whether nothing may move. */
export const motionless = (): boolean => settings.motion === 'reduced' || still.matches

/** Storage may be full or forbidden; the page works without it. */
export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // kept for this visit only
  }
}

export function remembered<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? otherwise
  } catch {
    return otherwise
  }
}
