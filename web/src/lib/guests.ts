/** Games that other packages bring: the hall describes them, and the page draws the parts of their states in words. */

import { GAMES, learnWords, onScreen } from '../games'
import { plainWords } from '../games/plain'
import type { GameId } from '../wire'
import { games, type Described } from './api'
import { addGuest } from './catalog'
import { call, known } from './texts.svelte'

let asked: Promise<void> | null = null

/** Whether there is such a game, as far as anybody has asked. */
export const isKnown = (id: string): boolean => GAMES.some((game) => game.id === id)

/** Resolves when this game can be played: it is known, and its words are there. */
export async function learn(id: string): Promise<void> {
  await Promise.all([meet([id]), learnWords(id)])
}

/** Resolves when these games can be named, or the hall does not know them either. */
export async function meet(ids: string[]): Promise<void> {
  if (ids.every(isKnown)) return
  asked ??= games().then((all) => all.filter(({ id }) => !isKnown(id)).forEach(admit))
  await asked.catch((failure: unknown) => {
    asked = null // whoever asks again may hear
    throw failure
  })
}

function admit(game: Described): void {
  const { id, title, about, options, presets, players } = game
  addGuest({ ...game, options: options.filter(({ name }) => name !== 'preset') })
  const bots = players.filter((name) => !name.endsWith(':N'))
  GAMES.push(onScreen({ id: id as GameId, still: { dice: '1' }, bots, load: () => import('../games/Plain.svelte') }, plainWords(about)))
  call(`game.${id}`, title)
  call(`pitch.${id}`, '')
  const names = [...Object.keys(presets).map((name) => `preset.${id}.${name}`), ...players.map((name) => `player.${name.split(':')[0]}`)]
  for (const key of names) if (!known(key)) call(key, key.split('.').at(-1)!)
  for (const name of Object.keys(presets)) call(`preset.${id}.${name}.about`, '')
}
