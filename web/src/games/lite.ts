import type { LiteSoloView, LiteVersusView } from '../wire'
import { t, word } from '../lib/texts.svelte'
import type { Words } from '.'

export type LiteView = LiteSoloView | LiteVersusView

const cell = (move: string): { row: number; column: number } => ({
  column: move.charCodeAt(0) - 'a'.charCodeAt(0),
  row: Number(move[1]) - 1,
})

export const liteWords: Words<LiteView> = {
  dice: (view) => (view.die === null ? [] : [view.die]),
  ticks: () => 5,
  playerRolls: (_, move) => move !== 'reroll',
  tell(before, step, after, who) {
    if (step.startsWith('d')) return after.die === null ? '' : t('lite.rolled', { who, face: word(after.die) })
    if (step === 'reroll') return t('lite.told.reroll', { who })
    const { row, column } = cell(step)
    const seat = after.seats[before.to_move ?? 0]!
    return t('lite.told.placed', {
      who,
      face: word(before.die ?? 1),
      row: row + 1,
      column: column + 1,
      score: seat.rows[row]!.score,
      total: seat.total,
    })
  },
  name(move) {
    const { row, column } = cell(move)
    return move === 'reroll' ? t('lite.move.reroll') : t('lite.move.cell', { row: row + 1, column: column + 1 })
  },
  cues: (_, step) => (step.startsWith('d') || step === 'reroll' ? [] : ['place']),
  dwell: () => 0,
  summary: (view, names) =>
    view.seats
      .map((seat, n) =>
        t('lite.summary', { who: names[n] ?? '', total: seat.total, rows: seat.rows.map((row) => row.score).join(' + ') }),
      )
      .join('\n'),
  lessons: [
    { text: 'rules.lite.1' },
    { text: 'rules.lite.2', dice: [1, 3, 6], means: '10 × 1 = 10' },
    { text: 'rules.lite.3', dice: [2, 2, 6], means: '10 × 2 = 20' },
    { text: 'rules.lite.4', dice: [4, 4, 4], means: '12 × 3 = 36' },
    { text: 'rules.lite.5' },
    { text: 'rules.lite.6' },
  ],
}
