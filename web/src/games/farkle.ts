import type { FarkleView } from '../wire'
import { happened } from '../lib/events'
import { list, t, word, type Key } from '../lib/texts.svelte'
import type { Words } from '.'

/** Dice of a group, or of anything else that is written in digits, one by one: 2 2 2. */
export const spaced = (digits: string): string => [...digits].join(' ')

/** Dice in words, for those who listen: two two two. */
export const spoken = (digits: string): string => [...digits].map((digit) => word(Number(digit))).join(' ')

export const medalName = (medal: string): string => t(`farkle.medal.${medal}` as Key)

/** After a roll of the dice the eye wants to see them, before a bot takes some away. */
const TO_SEE = 350
const AT_ONCE = 1

export const farkleWords: Words<FarkleView> = {
  ticks: () => 6,
  playerRolls: (move) => move !== 'roll',
  tell({ step, by, events }, view, who) {
    const farkle = happened(events, 'farkle')
    if (farkle) return farkle.lost ? t('farkle.told.farkle', { n: farkle.lost }) : t('farkle.told.farkle.nothing')
    if (by === null) return t('farkle.told.rolled', { dice: spaced(step.slice(1)) })
    if (step === 'roll') return t('farkle.told.roll', { who, n: view.remaining_dice })
    const banked = happened(events, 'banked')
    if (banked) return t('farkle.told.bank', { who, points: banked.points, n: banked.total })
    const dice = list(step.split('+').map(spaced))
    const kept = happened(events, 'hot-dice') ? 'farkle.told.hot' : 'farkle.told.kept'
    return t(kept, { who, dice, points: view.turn_total, n: view.remaining_dice })
  },
  name: (move) =>
    move === 'roll' || move === 'bank' ? t(`farkle.move.${move}`) : t('farkle.move.keep', { dice: list(move.split('+').map(spaced)) }),
  cues({ step, by, events }) {
    if (happened(events, 'farkle')) return ['farkle']
    if (by === null || step === 'roll') return []
    if (happened(events, 'banked')) return ['bank']
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
  lessons: [
    { text: 'rules.farkle.1' },
    { text: 'rules.farkle.2', dice: [1, 5], means: '100 + 50' },
    { text: 'rules.farkle.3', dice: [4, 4, 4], means: '400' },
    { text: 'rules.farkle.4', dice: [2, 2, 2, 2], means: '400' },
    { text: 'rules.farkle.5' },
    { text: 'rules.farkle.6', dice: [2, 3, 4, 6], means: '0' },
    { text: 'rules.farkle.7', dice: [3, 3, 3, 1, 1, 5], means: '550' },
    { text: 'rules.farkle.8' },
  ],
}
