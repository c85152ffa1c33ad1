/** The games: how each is drawn, and how it is put into words. Those of other packages come in by lib/guests.ts. */

import type { Component } from 'svelte'
import type { Stage } from '../lib/stage.svelte'
import type { Key } from '../lib/texts.svelte'
import type { Frame, GameId, View } from '../wire'
import { knucklebonesWords } from './knucklebones'
import { shutTheBoxWords } from './shutTheBox'
import { farkleWords } from './farkle'
import { liteWords } from './lite'

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
  lessons: Lesson[]
  /** The rules of one table: by its options, and for as many seats as it has. */
  lessonsAt?(options: V['options'], seats: number): Lesson[]
  /** The rules as the game tells them itself, where it has no lessons. */
  about?: string
}

export interface GameOnScreen {
  id: GameId
  words: Words
  /** Dice for its picture. */
  picture: number[]
  /** Opponents on offer. */
  bots: string[]
  /** Its dice lie on the board, not in the tray. */
  diceOnBoard?: true
  load: () => Promise<{ default: Component<{ stage: Stage }> }>
}

const words = <V extends View>(own: Words<V>): Words => own as unknown as Words

/** Opponents with a known strength; the catalog tells which. */
const LEVELS = [1, 2, 3, 4, 5].map((level) => `level:${level}`)

export const GAMES: GameOnScreen[] = [
  {
    id: 'lite-solo',
    words: words(liteWords),
    picture: [4, 4, 4],
    bots: [],
    load: () => import('./Lite.svelte'),
  },
  {
    id: 'knucklebones',
    words: words(knucklebonesWords),
    picture: [6, 6, 2],
    bots: ['spec', ...LEVELS, 'greedy', 'random'],
    load: () => import('./Knucklebones.svelte'),
  },
  {
    id: 'farkle',
    words: words(farkleWords),
    picture: [1, 5, 1],
    bots: ['bank:300', 'bank:600', 'bank:1000', ...LEVELS, 'perfect', 'random'],
    diceOnBoard: true,
    load: () => import('./Farkle.svelte'),
  },
  {
    id: 'shut-the-box',
    words: words(shutTheBoxWords),
    picture: [6, 3],
    bots: ['highest', ...LEVELS, 'perfect', 'random'],
    load: () => import('./ShutTheBox.svelte'),
  },
  {
    id: 'lite-versus',
    words: words(liteWords),
    picture: [2, 5, 2],
    bots: ['lookahead', 'standard', ...LEVELS, 'perfect', 'match', 'random'],
    load: () => import('./Lite.svelte'),
  },
]

export const gameOf = (id: string): GameOnScreen => GAMES.find((game) => game.id === id) ?? GAMES[0]!
