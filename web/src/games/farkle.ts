import type { FarkleView } from '../wire'
import { optionText } from '../lib/catalog'
import { happened } from '../lib/events'
import { list, t, word, type Key } from '../lib/texts.svelte'
import type { Lesson, Words } from '.'

/** Dice of a group, or of anything else that is written in digits, one by one: 2 2 2. */
const spaced = (digits: string): string => [...digits].join(' ')

/** Dice in words, for those who listen: two two two. */
export const spoken = (digits: string): string => [...digits].map((digit) => word(Number(digit))).join(' ')

export const medalName = (medal: string): string => t(`farkle.medal.${medal}` as Key)

/** After a roll of the dice the eye wants to see them, before a bot takes some away. */
const TO_SEE = 350
const AT_ONCE = 1

/** How much points are to ears and fingers. */
const size = (points: number): number => Math.min(6, 1 + Math.floor(points / 250))

export const farkleWords: Words<FarkleView> = {
  ticks: () => 6,
  playerRolls: (move) => move !== 'roll',
  tell({ step, by, events }, view, who, later) {
    const farkle = happened(events, 'farkle')
    if (farkle) return farkle.lost ? t('farkle.told.farkle', { n: farkle.lost }) : t('farkle.told.farkle.nothing')
    if (by === null) return t('farkle.told.rolled', { dice: spaced(step.slice(1)) })
    const rolled = later.find((frame) => frame.by === null)
    const n = rolled ? rolled.step.length - 1 : view.remaining_dice
    if (step === 'roll') return t('farkle.told.roll', { who, n })
    const banked = happened(events, 'banked')
    if (banked) return t('farkle.told.bank', { who, points: banked.points, n: banked.total })
    const dice = list(step.split('+').map(spaced))
    const hot = happened(events, 'hot-dice')
    const then = later.flatMap((frame) => frame.events)
    if (happened(then, 'banked')) return t(hot ? 'farkle.told.hot.banked' : 'farkle.told.kept.banked', { who, dice }) // and how much, next
    const points = happened(then, 'farkle')?.lost ?? view.turn_total
    return t(hot ? 'farkle.told.hot' : 'farkle.told.kept', { who, dice, points, n })
  },
  name: (move) =>
    move === 'roll' || move === 'bank' ? t(`farkle.move.${move}`) : t('farkle.move.keep', { dice: list(move.split('+').map(spaced)) }),
  cues({ step, by, events }) {
    const farkle = happened(events, 'farkle')
    if (farkle) return [['farkle', size(farkle.lost)]]
    if (by === null || step === 'roll') return []
    const banked = happened(events, 'banked')
    if (banked) return [['bank', size(banked.points)]]
    return [happened(events, 'hot-dice') ? 'hot' : 'place']
  },
  dwell({ step, by, events }) {
    if (happened(events, 'farkle')) return 1600
    if (by === null) return TO_SEE
    return step === 'roll' ? AT_ONCE : step === 'bank' ? 700 : 500
  },
  summary(view, names) {
    if (view.seats.length > 1) {
      return view.seats.map(({ banked }, seat) => t('farkle.summary.seat', { who: names[seat] ?? '', n: banked })).join('\n')
    }
    const line = t('farkle.summary.turns', { points: view.seats[0]!.banked, n: view.round })
    return view.medal === null ? line : `${line}\n${t('farkle.medal.won', { medal: medalName(view.medal) })}`
  },
  when: ({ round }) => t('farkle.turn', { n: round }),
  goal: ({ options }) => (options.max_turns ? '' : optionText('farkle', 'target', options.target)),
  lessons: [
    { text: 'rules.farkle.1' },
    { text: 'rules.farkle.2', dice: [1, 5], means: '100 + 50' },
    { text: 'rules.farkle.3', dice: [4, 4, 4], means: '400' },
    { text: 'rules.farkle.4', dice: [2, 2, 2, 2], means: '400' },
    { text: 'rules.farkle.5' },
    { text: 'rules.farkle.6', dice: [2, 3, 4, 6], means: '0' },
    { text: 'rules.farkle.7', dice: [3, 3, 3, 1, 1, 5], means: '550' },
    { text: 'rules.farkle.8' },
    { text: 'rules.farkle.star' },
  ],
  lessonsAt(options, seats) {
    const found: Lesson[] = this.lessons.slice(0, 6)
    found.push(options.hot_dice ? this.lessons[6]! : { text: 'rules.farkle.cold' })
    if (options.straight) found.push({ text: 'rules.farkle.straight', values: { n: options.straight_points } })
    if (options.three_pairs) found.push({ text: 'rules.farkle.pairs', values: { n: options.three_pairs_points } })
    if (options.three_pairs && options.four_plus_pair) found.push({ text: 'rules.farkle.four-pair' })
    if (options.board_minimum) found.push({ text: 'rules.farkle.board', values: { n: options.board_minimum } })
    if (options.bank_minimum) found.push({ text: 'rules.farkle.bank', values: { n: options.bank_minimum } })
    found.push({ text: 'rules.farkle.star' })
    if (options.max_turns) return [...found, { text: 'rules.farkle.turns', values: { n: options.max_turns } }]
    const end = seats === 1 ? 'rules.farkle.alone' : options.last_turn ? 'rules.farkle.last' : 'rules.farkle.race'
    return [...found, { text: end, values: { n: options.target } }]
  },
}
