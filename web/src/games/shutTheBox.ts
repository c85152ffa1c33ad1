import type { ShutTheBoxTurnMove, ShutTheBoxView, GameEvent } from '../wire'
import { happened } from '../lib/events'
import { number as written, say, t, type Key } from '../lib/texts.svelte'
import type { Lesson, Words } from '.'

/** Long enough to read why a round is over, or to enjoy that the box is shut. */
const STUCK = 1400
const BOX_SHUT = 2200

export const tilesOf = (move: string): number[] => move.split('+').map(Number)
export const plus = (tiles: number[]): string => tiles.join(' + ')

/** Digital scores are read as they stand, without marks for thousands; one point is still one. */
export const figure = (view: ShutTheBoxView, score: number): number | string => (view.scoring === 'digital' && score > 1 ? String(score) : score)

/** What fits a roll, as the helper groups it. */
export interface SetGroup {
  name: Key
  sets: ShutTheBoxTurnMove[]
}

/** The variants that take the sum alone see all sets alike; the others tell the dice themselves apart. */
export function grouped(view: ShutTheBoxView, sets: ShutTheBoxTurnMove[]): SetGroup[] {
  const { variant } = view.options
  if (variant === 'alwaysSum' || variant === 'alwaysSumDuo') return [{ name: 'box.sets', sets }]
  const groups: SetGroup[] = [
    { name: 'box.sets.single', sets: sets.filter((set) => set.tiles.length === 1) },
    { name: 'box.sets.dice', sets: sets.filter((set) => set.tiles.length > 1 && set.exact_dice) },
    { name: 'box.sets.other', sets: sets.filter((set) => set.tiles.length > 1 && !set.exact_dice) },
  ]
  return groups.filter((group) => group.sets.length > 0)
}

/** In a tournament of several: the last ones who were in went out in the same round, and nobody is left to win. */
export const allOut = ({ result, seats }: ShutTheBoxView): boolean => seats.length > 1 && result?.why === 'out' && seats.every(({ out }) => out)

/** Why a game of several ended. */
export function whyOver(view: ShutTheBoxView): string {
  if (allOut(view)) return t(view.result!.winners.length > 1 ? 'box.out-level' : 'box.out-together')
  return say(`why.${view.result!.why}`)
}

const isDiceChoice = (step: string | undefined): boolean => step === 'one' || step === 'two'

export const shutTheBoxWords: Words<ShutTheBoxView> = {
  ticks: () => 5,
  playerRolls: (move) => !isDiceChoice(move),
  tell({ step, by, events }, view, who) {
    if (by === null) return happened(events, 'stuck') ? stuck(step, events, view) : rolled(view)
    if (isDiceChoice(step)) return say(`box.told.${step}`, { who })
    if (happened(events, 'all-open')) return t('box.told.all-open', { who })
    if (happened(events, 'box-shut')) return t('box.told.box-shut', { who })
    return t(view.opening ? 'box.told.opened' : 'box.told.shut', { who, tiles: plus(tilesOf(step)) })
  },
  name(move, before) {
    if (isDiceChoice(move)) return say(`box.move.${move}`)
    const tiles = tilesOf(move)
    const named = t('box.move.tiles', { tiles: plus(tiles), n: tiles.length })
    return before?.dice.length ? t('box.move.dice', { dice: plus(before.dice), move: named }) : named
  },
  cues({ step, by, events }) {
    const ended = happened(events, 'round-over') ?? happened(events, 'other-side')
    if (by === null) return ended && !happened(events, 'run-over') ? ['lose'] : []
    if (isDiceChoice(step)) return []
    return allTurned(events) ? ['box-shut'] : [['shut', tilesOf(step).length]]
  },
  dwell({ events }) {
    if (happened(events, 'stuck')) return STUCK
    return allTurned(events) ? BOX_SHUT : 0
  },
  summary(view, names) {
    const { result, aim, scoring } = view
    if (result === null) return ''
    if (aim.unit === 'turns') return say(`box.summary.${result.why}`, { n: result.scores[0] ?? 0 })
    if (aim.unit === 'rounds') return t('box.summary.rounds', { n: result.scores[0] ?? 0 })
    if (view.sides) return view.sides.map((n, seat) => t('box.summary.sides', { who: names[seat] ?? '', n })).join('\n')
    const scores = result.scores.map((n, seat) => t('box.summary.points', { who: names[seat] ?? '', n: figure(view, n) }))
    return [...scores, ...(scoring === 'golf' ? [] : [say(`box.rule.${scoring}`)])].join('\n')
  },
  figure,
  when: ({ round, options }) => (options.mode === 'threshold' ? '' : `${t(options.mode === 'long' ? 'box.turn' : 'box.round')} ${written(round)}`),
  goal: ({ limit }) => (limit === null ? '' : t('box.wins', { n: limit })),
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
  lessonsAt(options, seats) {
    const [begin, shut, stuck, all] = this.lessons as [Lesson, Lesson, Lesson, Lesson]
    const long = options.mode === 'long'
    const found: Lesson[] = [begin]
    found.push(options.variant === 'alwaysSumDuo' ? { text: 'rules.box.duo' } : options.difficulty === 'hard' ? { text: 'rules.box.two' } : shut)
    const neverAll = options.variant === 'alwaysSumDuo' && options.tiles % 2 === 1 // two at a time leave one
    found.push(...(long ? [] : [stuck, neverAll ? { text: 'rules.box.duo.odd' as const } : all]), { text: oneDieRule(options) })
    if (long) return [...found, this.lessons[7]!]
    found.push({ text: `rules.box.${SCORED_BY[options.variant] ?? options.scoring}` as Key })
    if (options.mulligan) found.push({ text: 'rules.box.mulligan' })
    if (options.instant) found.push({ text: 'rules.box.instant' })
    if (options.variant === 'tournament45out') return [...found, { text: seats > 1 ? 'rules.box.tournament.others' : 'rules.box.tournament' }]
    if (!options.per_round_scoring) found.push({ text: 'rules.box.best' })
    const { rounds, goal } = options
    if (options.mode === 'threshold' && seats === 1) return [...found, { text: 'rules.box.threshold', values: { n: options.threshold } }]
    const n = options.mode === 'threshold' ? 1 : rounds
    if (seats > 1) return [...found, { text: 'rules.box.lowest', values: { n } }]
    return [...found, goal ? { text: 'rules.box.goal', values: { n, rounds, goal } } : { text: 'rules.box.free', values: { n } }]
  },
}

/** What the variants that name it count. */
const SCORED_BY: Record<string, string> = { digitalScore: 'digital', missionaryCount: 'missionary' }

function oneDieRule({ one_die, difficulty }: ShutTheBoxView['options']): Key {
  if (one_die === 'never' || one_die === 'forced') return `rules.box.one-die.${one_die}`
  return one_die === 'sum-6' || difficulty === 'hard' ? 'rules.box.one-die.sum' : 'rules.box.5'
}

const allTurned = (events: readonly GameEvent[]): boolean => happened(events, 'box-shut') !== undefined || happened(events, 'all-open') !== undefined

const rolled = ({ dice, dice_total }: ShutTheBoxView): string =>
  t(dice.length === 1 ? 'box.told.rolled.one' : 'box.told.rolled', { dice: plus(dice), n: dice_total ?? 0 })

/** A roll that fits nothing is rolled again, or ends the round; a long game's turn. */
function stuck(roll: string, events: readonly GameEvent[], view: ShutTheBoxView): string {
  const dice = plus([...roll.slice(1)].map(Number))
  if (happened(events, 'mulligan')) return t('box.stuck.mulligan', { dice })
  if (happened(events, 'doubles')) return t('box.stuck.doubles', { dice })
  const other = happened(events, 'other-side')
  if (other) return t(other.opening ? 'box.stuck.then-open' : 'box.stuck.then-shut', { dice })
  const n = figure(view, happened(events, 'round-over')?.score ?? 0)
  return t(happened(events, 'out') ? 'box.stuck.out' : 'box.stuck', { dice, n })
}
