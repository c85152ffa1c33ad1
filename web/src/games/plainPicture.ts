import { scoreText } from '../lib/ends'
import { TEXT } from '../lib/pen'
import type { Drawing } from '.'

/** Who had how much; winners in strong letters, with a star. */
export const drawing: Drawing = (pen, { table, names }, { x, y, w, h }) => {
  const { scores, winners } = table.view.result!
  const tall = Math.min(64, h / scores.length)
  scores.forEach((score, seat) => {
    const at = y + (h - tall * scores.length) / 2 + tall * (seat + 0.5)
    const won = winners.includes(seat)
    pen.line(`${won ? '★ ' : ''}${names[seat] ?? ''}`, x, at, w - 170, 25, won ? 'strong' : 'plain', TEXT)
    pen.line(scoreText(table.view, score), x + w, at, 150, 31, 'name', TEXT, 'end')
  })
}
