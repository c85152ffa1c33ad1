import type { BoxTurnMove, BoxView } from '../wire'
import { say, t, type Key } from '../lib/texts.svelte'
import type { Words } from '.'

/** Long enough to read why a round is over, or to enjoy that the box is shut. */
const STUCK = 1400
export const BOX_SHUT = 2200

export const tilesOf = (move: string): number[] => move.split('+').map(Number)
export const plus = (tiles: number[]): string => tiles.join(' + ')
export const total = (dice: number[]): number => dice.reduce((sum, die) => sum + die, 0)
export const inPlay = (view: BoxView): number[] => view.tiles.filter((tile) => tile.open !== view.opening).map((tile) => tile.number)

/** Digital scores are read as they stand, without marks for thousands. */
export const figure = (view: BoxView, score: number): number | string => (view.scoring === 'digital' ? String(score) : score)

export const sameTurn = (one: BoxView, other: BoxView): boolean =>
  one.round === other.round && one.turn_of === other.turn_of && other.result === null

/** What fits a roll, as the helper groups it. */
export interface SetGroup {
  name: Key
  sets: BoxTurnMove[]
}

/** The variants that take the sum alone see all sets alike; the others tell the dice themselves apart. */
export function grouped(view: BoxView, sets: BoxTurnMove[]): SetGroup[] {
  const { variant } = view.options
  if (variant === 'alwaysSum' || variant === 'alwaysSumDuo') return [{ name: 'box.sets', sets }]
  const groups: SetGroup[] = [
    { name: 'box.sets.single', sets: sets.filter((set) => set.tiles.length === 1) },
    { name: 'box.sets.dice', sets: sets.filter((set) => set.tiles.length > 1 && set.exact_dice) },
    { name: 'box.sets.other', sets: sets.filter((set) => set.tiles.length > 1 && !set.exact_dice) },
  ]
  return groups.filter((group) => group.sets.length > 0)
}

const isRoll = (step: string): boolean => step.startsWith('d')
const isDiceChoice = (step: string | undefined): boolean => step === 'one' || step === 'two'
const fits = (after: BoxView): boolean => after.dice.length > 0
const finishes = (before: BoxView, move: string): boolean => !isDiceChoice(move) && tilesOf(move).length === inPlay(before).length

export const boxWords: Words<BoxView> = {
  dice: (view) => view.dice,
  ticks: () => 5,
  playerRolls: (_, move) => !isDiceChoice(move),
  tell(before, step, after, who) {
    if (isRoll(step)) return fits(after) ? rolled(after.dice) : stuck(before, step, after)
    if (isDiceChoice(step)) return say(`box.told.${step}`, { who })
    if (finishes(before, step)) return t(before.opening ? 'box.told.all-open' : 'box.told.box-shut', { who })
    return t(before.opening ? 'box.told.opened' : 'box.told.shut', { who, tiles: plus(tilesOf(step)) })
  },
  name(move) {
    if (isDiceChoice(move)) return say(`box.move.${move}`)
    const tiles = tilesOf(move)
    return t('box.move.tiles', { tiles: plus(tiles), n: tiles.length })
  },
  cues(before, step, after) {
    if (isDiceChoice(step)) return []
    if (isRoll(step)) return fits(after) || sameTurn(before, after) || after.result ? [] : ['lose']
    return finishes(before, step) ? ['box-shut'] : ['shut']
  },
  dwell(before, step, after) {
    if (isRoll(step)) return fits(after) ? 0 : STUCK
    return finishes(before, step) ? BOX_SHUT : 0
  },
  summary(view, names) {
    const { result, aim, scoring } = view
    if (result === null) return ''
    if (aim.unit === 'turns') return say(`box.summary.${result.why}`, { n: result.scores[0] ?? 0 })
    if (aim.unit === 'rounds') return t('box.summary.rounds', { n: result.scores[0] ?? 0 })
    const line = view.options.mode === 'long' ? 'box.summary.sides' : 'box.summary.points'
    const scores = result.scores.map((n, seat) => t(line, { who: names[seat] ?? '', n: figure(view, n) }))
    return [...scores, ...(scoring === 'golf' ? [] : [say(`box.rule.${scoring}`)])].join('\n')
  },
  lessons: [
    { text: 'rules.box.1' },
    { text: 'rules.box.2', dice: [6, 5], means: '9 + 2 = 7 + 4 = 6 + 3 + 2 = 11' },
    { text: 'rules.box.3' },
    { text: 'rules.box.4' },
    { text: 'rules.box.5', dice: [4] },
    { text: 'rules.box.6' },
    { text: 'rules.box.7' },
    { text: 'rules.box.8', dice: [3, 3] },
  ],
}

const rolled = (dice: number[]): string =>
  t(dice.length === 1 ? 'box.told.rolled.one' : 'box.told.rolled', { dice: plus(dice), n: total(dice) })

/** A roll that fits nothing is rolled again, or ends the round; a long game's turn. */
function stuck(before: BoxView, roll: string, after: BoxView): string {
  const dice = plus([...roll.slice(1)].map(Number))
  if (sameTurn(before, after)) return t(before.mulligan_left && !after.mulligan_left ? 'box.stuck.mulligan' : 'box.stuck.doubles', { dice })
  if (after.options.mode === 'long') return t(after.opening ? 'box.stuck.then-open' : 'box.stuck.then-shut', { dice })
  // at the end the box is left as it is; before that the next round has opened it again
  const n = figure(after, after.result ? after.round_score : before.round_score)
  const seat = before.turn_of
  return t(after.seats[seat]!.out && !before.seats[seat]!.out ? 'box.stuck.out' : 'box.stuck', { dice, n })
}
