import type { LiteSoloView, LiteVersusView } from '../wire'
import { optionText } from '../lib/catalog'
import { happened, setCues } from '../lib/events'
import { t, word, type Key } from '../lib/texts.svelte'
import type { Lesson, Words } from '.'

export type LiteView = LiteSoloView | LiteVersusView

/** Where a move puts its die. */
export const cell = (move: string): { row: number; column: number } => ({
  column: move.charCodeAt(0) - 'a'.charCodeAt(0),
  row: Number(move[1]) - 1,
})

export const liteWords: Words<LiteView> = {
  ticks: () => 5,
  playerRolls: (move) => move !== 'reroll',
  tell({ step, by, events }, view, who) {
    if (by === null) return happened(events, 'drawn') || view.die === null ? '' : t('lite.rolled', { who, face: word(view.die) })
    if (step === 'reroll') return t('lite.told.reroll', { who })
    const { row, column } = cell(step)
    const seat = view.seats[by]!
    const told = {
      who,
      face: word(seat.board[row]![column]!),
      row: row + 1,
      column: column + 1,
      score: seat.rows[row]!.score,
      total: seat.total,
    }
    return seat.columns ? t('lite.told.placed.columns', { ...told, down: seat.columns[column]!.score }) : t('lite.told.placed', told)
  },
  name(move, before) {
    if (move === 'reroll') return t('lite.move.reroll')
    const { row, column } = cell(move)
    const where = { row: row + 1, column: column + 1 }
    return before?.die ? t('lite.move.die', { ...where, die: before.die }) : t('lite.move.cell', where)
  },
  cues: ({ step, by, events }) => (by === null || step === 'reroll' ? [] : ['place', ...setCues(events)]),
  dwell: () => 0,
  summary: (view, names) =>
    view.seats
      .map((seat, n) =>
        t('lite.summary', {
          who: names[n] ?? '',
          total: seat.total,
          rows: [...seat.rows, ...(seat.columns ?? [])].map(({ score }) => score).join(' + '),
        }),
      )
      .join('\n'),
  goal: ({ options }) => ('target' in options && options.target ? optionText('lite-solo', 'target', options.target) : ''),
  lessons: [
    { text: 'rules.lite.1' },
    { text: 'rules.lite.2', dice: [1, 3, 6], means: '10 × 1 = 10' },
    { text: 'rules.lite.3', dice: [2, 2, 6], means: '10 × 2 = 20' },
    { text: 'rules.lite.4', dice: [4, 4, 4], means: '12 × 3 = 36' },
    { text: 'rules.lite.5' },
    { text: 'rules.lite.6' },
  ],
  lessonsAt(options, seats) {
    const found: Lesson[] = [...this.lessons.slice(0, 4), { text: seats > 1 ? 'rules.lite.versus' : 'rules.lite.alone' }]
    if (options.columns) found.push({ text: 'rules.lite.columns' })
    if (options.wild !== 'off') found.push({ text: options.wild === 'natural' ? 'rules.lite.wild.natural' : 'rules.lite.wild' })
    if (options.reroll) found.push({ text: 'rules.lite.reroll' })
    if ('first' in options && options.first !== 'human') found.push({ text: `option.first.${options.first}.about` as Key })
    if ('tiebreak' in options && options.tiebreak !== 'none') found.push({ text: `option.tiebreak.${options.tiebreak}.about` as Key })
    if ('target' in options && options.target) found.push({ text: 'rules.lite.target', values: { n: options.target } })
    return found
  },
}
