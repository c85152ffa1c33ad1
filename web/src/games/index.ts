/** The games: how each is drawn, and how it is put into words. Those of other packages come in by lib/guests.ts. */

import type { Component } from 'svelte'
import type { Box, Pen } from '../lib/pen'
import type { Card } from '../lib/sharing'
import type { Stage } from '../lib/stage.svelte'
import { need, t, type Key, type Pack } from '../lib/texts.svelte'
import type { Frame, GameId, View } from '../wire'

type CueName = 'place' | 'set' | 'destroy' | 'shut' | 'box-shut' | 'farkle' | 'hot' | 'bank' | 'select' | 'win' | 'lose'

/** Something to hear and to feel; with a size, from 1, the more of it the more has happened. */
export type Cue = CueName | [CueName, number]

/** A rule in short: a sentence, and dice that show it. */
export interface Lesson {
  text: Key
  values?: Record<string, number>
  dice?: number[]
  /** What they come to. */
  means?: string
}

/** What the stage and the screen readers have to know of a game; all of it is read off views and events. */
export interface Words<V extends View = View> {
  /** How often the faces change while dice are in the air. */
  ticks(): number
  /** Whether the dice wait for the player's tap where auto-roll is off: not after a move that was itself a roll. */
  playerRolls(move: string | undefined): boolean
  /** What a step did, in a sentence; between it and the view there are the `later` ones. */
  tell(frame: Frame, view: V, who: string, later: readonly Frame[]): string
  /** A move by its name, as part of a sentence; with the position `before` it, its dice are named as well. */
  name(move: string, before: V | null): string
  cues(frame: Frame): Cue[]
  /** How long, in milliseconds, to leave the table as it is after a step, be it `mine` or a bot's, before the next. */
  dwell(frame: Frame, mine: boolean): number
  /** The score of a finished run in words, to share; without the winner. */
  summary(view: V, names: string[]): string
  /** What was to be reached, to share; empty where there was no goal. */
  goal?(view: V): string
  /** A score as it is written, where that is not as a number. */
  figure?(view: V, score: number): string | number
  /** How a row of its parts, each in a word, is introduced where it is shared; it stands for itself without. */
  parts?: Key
  /** In which turn or round a position is, where several moves have the same name. */
  when?(view: V): string
  lessons: Lesson[]
  /** The rules of one table: by its options, and for as many seats as it has. */
  lessonsAt?(options: V['options'], seats: number): Lesson[]
  /** The rules as the game tells them itself, where it has no lessons. */
  about?: string
}

/** Draws the final board into the box, for a picture to share. */
export type Drawing = (pen: Pen, card: Card, box: Box) => void

/** What lies in a game's small picture. Of dice, a digit is one's own, one after - is theirs, one after / lies askew; _ is
 * an empty place, o one that is open. */
export interface Still {
  /** Each a row, or upright a column. */
  grooves?: string[]
  upright?: true
  /** What the first groove counts. */
  stamp?: string
  /** On linen: tiles, x for a shut one; dice on a ledge; and dice. */
  tiles?: string
  ledge?: string
  dice?: string
}

interface GameOnScreen {
  id: GameId
  /** Loaded with its texts: see `learn` in lib/guests. */
  readonly words: Words
  still: Still
  /** Everybody's points, where it is left out. */
  drawing?: () => Promise<Drawing>
  /** Opponents on offer. */
  bots: string[]
  /** Its dice lie on the board, not in the tray. */
  diceOnBoard?: true
  load: () => Promise<{ default: Component<{ stage: Stage }> }>
}

/** How the games that somebody plays, or looks at, are put into words. */
const spoken: Record<string, Words> = {}

/** The words of a game of the hall: the file that has them, which is also the name of its texts. */
const WORDS: Record<string, readonly [texts: Pack, load: () => Promise<Words>]> = {
  'lite-solo': ['lite', async () => (await import('./lite')).liteWords as unknown as Words],
  'lite-versus': ['lite', async () => (await import('./lite')).liteWords as unknown as Words],
  farkle: ['farkle', async () => (await import('./farkle')).farkleWords as unknown as Words],
  'shut-the-box': ['box', async () => (await import('./shutTheBox')).shutTheBoxWords as unknown as Words],
  knucklebones: ['knucklebones', async () => (await import('./knucklebones')).knucklebonesWords as unknown as Words],
}

export const isSpoken = (id: string): boolean => id in spoken

/** Resolves when a game of the hall can be put into words. */
export async function learnWords(id: string): Promise<void> {
  const own = WORDS[id]
  if (!own || isSpoken(id)) return
  const [texts, load] = own
  const [words] = await Promise.all([load(), need(texts)])
  spoken[id] = words
}

/** A game with what stands in its file, or (of another package) with words of its own. */
export const onScreen = (game: Omit<GameOnScreen, 'words'>, words?: Words): GameOnScreen => {
  if (words) spoken[game.id] = words
  return { ...game, get words() { return spoken[game.id]! } } // prettier-ignore
}

/** Opponents with a known strength; the catalog tells which. */
const LEVELS = [1, 2, 3, 4, 5].map((level) => `level:${level}`)

const OWN: Omit<GameOnScreen, 'words'>[] = [
  {
    id: 'lite-solo',
    still: { grooves: ['555'], stamp: '×3' },
    drawing: async () => (await import('./litePicture')).drawing,
    bots: [],
    load: () => import('./Lite.svelte'),
  },
  {
    id: 'knucklebones',
    still: { grooves: ['-6-3', '_/6', '22'], upright: true },
    drawing: async () => (await import('./knucklebonesPicture')).drawing,
    bots: ['spec', ...LEVELS, 'perfect', 'greedy', 'random'],
    load: () => import('./Knucklebones.svelte'),
  },
  {
    id: 'farkle',
    still: { ledge: '155', dice: '26' },
    drawing: async () => (await import('./farklePicture')).drawing,
    bots: ['bank:300', 'bank:600', 'bank:1000', ...LEVELS, 'perfect', 'random'],
    diceOnBoard: true,
    load: () => import('./Farkle.svelte'),
  },
  {
    id: 'shut-the-box',
    still: { tiles: '123x5', dice: '13' },
    drawing: async () => (await import('./shutTheBoxPicture')).drawing,
    bots: ['highest', ...LEVELS, 'perfect', 'random'],
    load: () => import('./ShutTheBox.svelte'),
  },
  {
    id: 'lite-versus',
    still: { grooves: ['-4-4_', '6_6'] },
    drawing: async () => (await import('./litePicture')).drawing,
    bots: ['lookahead', 'standard', ...LEVELS, 'perfect', 'match', 'random'],
    load: () => import('./Lite.svelte'),
  },
]

export const GAMES: GameOnScreen[] = OWN.map((game) => onScreen(game))

export const gameOf = (id: string): GameOnScreen => GAMES.find((game) => game.id === id) ?? GAMES[0]!

/** A move by its name, with what follows it at once. */
export function moveName(view: View, move: string, then: string | null = null): string {
  const { name } = gameOf(view.game).words
  return then === null ? name(move, null) : t('coach.then', { move: name(move, null), then: name(then, null) })
}
