/** Every sentence of the page, from the texts that Python packages; the rules and the server speak in codes. */

import type box from '$texts/en/box.json'
import type coach from '$texts/en/coach.json'
import common from '$texts/en/common.json'
import type farkle from '$texts/en/farkle.json'
import type knucklebones from '$texts/en/knucklebones.json'
import type later from '$texts/en/later.json'
import type lite from '$texts/en/lite.json'
import options from '$texts/en/options.json'
import type people from '$texts/en/people.json'
import type players from '$texts/en/players.json'
import type screens from '$texts/en/screens.json'
import type statistics from '$texts/en/statistics.json'
import type { Language } from './settings.svelte'

type English = typeof common &
  typeof options &
  typeof lite &
  typeof farkle &
  typeof box &
  typeof knucklebones &
  typeof coach &
  typeof later &
  typeof people &
  typeof players &
  typeof screens &
  typeof statistics

export type Key = keyof English
/** Files of texts that come when they are needed. */
export type Pack = 'box' | 'coach' | 'farkle' | 'knucklebones' | 'later' | 'lite' | 'people' | 'players' | 'screens' | 'statistics'
type Text = string | { one: string; other: string }
type Values = Record<string, string | number>

/** How a language writes. By hand: the browser's formatters take longer to make than a whole table to draw. */
const MANNERS = {
  en: { thousands: ',', point: '.', percent: '%', and: ' and ' },
  de: { thousands: '.', point: ',', percent: '\u00a0%', and: ' und ' },
}

/** What every screen may say; in English it comes with the page itself, which most visitors need. */
const english = { ...common, ...options }

/** Every other file of texts; each is loaded when somebody needs it in that language. */
const FILES = import.meta.glob<Record<string, Text>>(['$texts/*/*.json', '!$texts/*/terminal.json', '!$texts/en/{common,options}.json'], {
  import: 'default',
})

let now = $state.raw<{ language: Language; texts: Record<string, Text> }>({ language: 'en', texts: english })

/** The files whose texts are there, by name; in another language they will be, too. */
const needed = new Set(['common', 'options'])

/** Names that no package of texts has, the same in every language. */
const names: Record<string, string> = {}

/** What something is called that came from elsewhere, unless the texts have a word for it. */
export const call = (key: string, name: string): void => void (names[key] = name)

const loaded = async (language: Language, names: Iterable<string>): Promise<Record<string, Text>> => {
  const files = [...names].map((name) => Object.entries(FILES).find(([path]) => path.endsWith(`/${language}/${name}.json`))?.[1]())
  return Object.assign({}, ...(await Promise.all(files)))
}

/** The language that was chosen last: it is the one that is shown as soon as its texts are there. */
let chosen: Language = 'en'

/** Change the language, with all that is said so far. */
export async function speak(language: Language): Promise<void> {
  chosen = language
  if (language === now.language) return
  const { size } = needed
  const texts = await loaded(language, needed)
  if (language !== chosen) return
  if (size < needed.size) return speak(language) // more was needed meanwhile
  now = { language, texts: language === 'en' ? { ...english, ...texts } : texts }
  document.documentElement.lang = language
}

/** Resolves when the texts of these files are there. */
export async function need(...names: Pack[]): Promise<void> {
  const fresh = names.filter((name) => !needed.has(name))
  if (fresh.length === 0) return
  const { language } = now
  const texts = await loaded(language, fresh)
  if (language !== now.language) return need(...names) // another one was chosen meanwhile
  for (const name of fresh) needed.add(name)
  now = { language, texts: { ...now.texts, ...texts } }
}

/** A sentence that nobody has loaded: whoever tests the page hears of it. */
function missing(key: string): string {
  console.error(`no text: ${key}`)
  return key
}

/** The sentence of that name. `n` decides between one and many; numbers are written as the language writes them. */
export function t(key: Key, values: Values = {}): string {
  const text = now.texts[key] ?? names[key] ?? missing(key)
  const chosen = typeof text === 'string' ? text : text[values.n === 1 ? 'one' : 'other'] // as both languages count
  if (!chosen.includes('{')) return chosen
  return chosen.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? number(value) : (value ?? `{${name}}`)
  })
}

/** A sentence whose name is put together from a code; the code itself, should there be none. */
export function say(name: string, values: Values = {}): string {
  return known(name) ? t(name, values) : name
}

export const known = (name: string): name is Key => name in now.texts || name in names

/** A whole number, the thousands set apart. */
export const number = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, MANNERS[now.language].thousands)

/** To a tenth, small ones to a hundredth; or with `digits` digits after the point. */
export function tenths(value: number, digits = Math.abs(value) < 10 ? 2 : 1): string {
  const [whole = '0', part] = Math.abs(value).toFixed(digits).split('.')
  const sign = value < 0 && Number(whole + part) ? '−' : ''
  return `${sign}${number(Number(whole))}${MANNERS[now.language].point}${part}`
}

/** A mean, to a tenth where that says anything. */
export const mean = (value: number): string => (Math.abs(value) < 1000 ? tenths(value, 1) : number(Math.round(value)))

export const percent = (part: number): string => `${Math.round(100 * part)}${MANNERS[now.language].percent}`

/** A share of which all and nothing are something else than nearly all and hardly anything: 99.9%, and 0.1%. */
export function share(part: number): string {
  const near = part > 0 && part < 1 && (part < 0.005 || part >= 0.995)
  return near ? `${tenths(Math.min(99.9, Math.max(0.1, Math.floor(1000 * part) / 10)), 1)}${MANNERS[now.language].percent}` : percent(part)
}

const place = (): string => (now.language === 'en' ? 'en-GB' : now.language)

/** A day as the language writes it: 18 November 2026. `zone`: that of a daily is UTC; the device's, where none is given. */
export const date = (day: Date, zone?: 'UTC'): string => day.toLocaleDateString(place(), { dateStyle: 'long', timeZone: zone })

/** The day of a daily, by its name for machines: 2026-11-18. What is no such name stays as it is. */
export function dayName(day: string): string {
  const found = new Date(day)
  return Number.isNaN(found.getTime()) ? day : date(found, 'UTC')
}

/** A moment as the language writes it, to the minute. */
export const moment = (when: Date): string => when.toLocaleString(place(), { dateStyle: 'long', timeStyle: 'short' })

/** What somebody has won, in games: two halves are one. */
export const halves = (n: number): string => `${n % 2 && n < 2 ? '' : Math.floor(n / 2)}${n % 2 ? '½' : ''}`

/** A result of several seats, which no line takes apart: 71 : 48. */
export const versus = (scores: number[]): string => scores.map(number).join('\u00a0:\u00a0')

export const list = (items: string[]): string => {
  const { and } = MANNERS[now.language]
  if (items.length < 3) return items.join(and)
  return items.slice(0, -1).join(', ') + (now.language === 'en' ? ',' : '') + and + items.at(-1)
}

/** A chance as people say it: 44%, or 1 in 120,000. */
export function chance(ways: number, of: number): string {
  const part = ways / of
  if (ways === 0) return percent(0)
  return part < 0.2 ? t('odds.one-in', { n: roundly(1 / part) }) : share(part)
}

const roundly = (value: number): number => (value < 100 ? Math.round(value) : Number(value.toPrecision(2)))

export const word = (face: number): string => t(`face.${face}` as Key)
