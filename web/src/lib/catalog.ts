/** The games and their options, as Python describes them. */

import { CATALOG, type GameInfo, type OptionInfo, type OptionValue } from '../wire'
import { known, number, say, t } from './texts.svelte'

export type Chosen = Record<string, OptionValue>

export const infoOf = (game: string): GameInfo => CATALOG.find(({ id }) => id === game) ?? CATALOG[0]!

/** Whether anybody here can say what a move is worth. */
export const hasCoach = (game: string): boolean => infoOf(game).players.includes('level:1')

export const usual = (game: string): Chosen => Object.fromEntries(infoOf(game).options.map((option) => [option.name, option.default]))

/** Only what differs from the defaults. */
export function changed(game: string, chosen: Chosen): Chosen {
  return Object.fromEntries(
    infoOf(game).options.flatMap(({ name, default: by }) => (name in chosen && chosen[name] !== by ? [[name, chosen[name]!]] : [])),
  )
}

/** The preset that these options are, if they are one. */
export function presetOf(game: string, chosen: Chosen): string | null {
  const { presets } = infoOf(game)
  const same = (preset: Chosen): boolean => JSON.stringify(changed(game, preset)) === JSON.stringify(changed(game, chosen))
  return Object.keys(presets).find((name) => same(presets[name]!)) ?? null
}

/** The games of other packages: what the texts say of an option is not about theirs. */
const guests = new Set<string>()

export function addGuest(info: GameInfo): void {
  CATALOG.push({ ...info, ladder: null }) // nobody has measured its players
  guests.add(info.id)
}

/** What the texts have to say of an option, by the `part` of it; nothing for a game of another package. */
function optionWords(game: string, name: string, part = ''): string | null {
  const key = `option.${name}${part}`
  return !guests.has(game) && known(key) ? say(key) : null
}

export const optionName = (game: string, name: string): string => optionWords(game, name) ?? name

/** What an option changes; of one of its values, where there is a sentence for that. */
export function optionAbout(game: string, name: string, value: OptionValue | null = null): string {
  const own = value === null ? null : optionWords(game, name, `.${value}.about`)
  return own ?? optionWords(game, name, `.about.${game}`) ?? optionWords(game, name, '.about') ?? ''
}

export function valueText(game: string, { name }: OptionInfo, value: OptionValue): string {
  if (typeof value === 'boolean') return t(value ? 'on' : 'off')
  const none = value === 0 ? optionWords(game, name, '.none') : null
  return none ?? optionWords(game, name, `.${value}`) ?? (typeof value === 'number' ? number(value) : value)
}

/** An option and its value, as one says it: a switch that is on by its name alone. */
export function optionText(game: string, name: string, value: OptionValue): string {
  const option = infoOf(game).options.find((one) => one.name === name)
  const label = optionName(game, name)
  return option && value !== true ? `${label}: ${valueText(game, option, value)}` : label
}

/** What a player of the house is called: some have a name for each of their levels. */
export function botName(name: string): string {
  const [kind = '', level] = name.split(':')
  if (level === undefined) return say(`player.${kind}`)
  return known(`player.${kind}.${level}`) ? say(`player.${kind}.${level}`) : say(`player.${kind}`, { level: Number(level) })
}

/** The rule that it plays by; in a game where that is a little different, as there. */
export function botAbout(name: string, game: string): string {
  const [kind = '', level = '0'] = name.split(':')
  if (known(`player.${kind}.about.${game}`)) return say(`player.${kind}.about.${game}`)
  return known(`player.${kind}.about`) ? say(`player.${kind}.about`, { level: Number(level) }) : ''
}

/** The name by which the server knows these options. */
export const modeName = (chosen: Chosen): string =>
  Object.entries(chosen)
    .map(([name, value]) => `${name}=${value}`)
    .join(';') || 'standard'

/** A mode's name, as the server makes it, in words. */
export function modeText(game: string, mode: string): string {
  const [chosen = '', seats = ''] = mode.split(':').length > 1 ? split(mode) : [mode]
  const options = Object.fromEntries(chosen.split(';').flatMap((pair) => (pair.includes('=') ? [pair.split('=') as [string, string]] : [])))
  const typed = Object.fromEntries(Object.entries(options).map(([name, text]) => [name, read(text)]))
  const preset = presetOf(game, typed)
  const words = preset ? [say(`preset.${game}.${preset}`)] : Object.entries(typed).map(([name, value]) => optionText(game, name, value))
  return [words.join(', ') || t('mode.standard'), seats].filter(Boolean).join(' · ')
}

function split(mode: string): [string, string] {
  const colon = mode.indexOf(':')
  const bots = mode
    .slice(colon + 1)
    .split(',')
    .filter((name) => name !== 'you')
  return [mode.slice(0, colon), bots.map(botName).join(', ')]
}

const read = (text: string): OptionValue => (text === 'true' ? true : text === 'false' ? false : /^-?\d+$/.test(text) ? Number(text) : text)
