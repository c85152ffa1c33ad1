import { SOFT, TEXT, type Box, type Pen } from '../lib/pen'
import { number } from '../lib/texts.svelte'
import type { LiteSeat } from '../wire'
import type { Drawing } from '.'
import type { LiteView } from './lite'

/** A board with what its rows count; two of them beside each other, whoever is named first on the left. */
export const drawing: Drawing = (pen, { table, hidden, theirs, names }, box) => {
  const { seats } = table.view as LiteView
  if (seats.length === 1) return drawBoard(pen, seats[0]!, box, hidden, false)
  const { x, y, w, h } = box
  const wide = (w - 28) / 2
  seats.forEach((seat, n) => {
    const at = x + n * (wide + 28)
    drawBoard(pen, seat, { x: at, y, w: wide, h: h - 84 }, hidden, theirs[n]!)
    pen.line(names[n] ?? '', at + wide / 2, y + h - 44, wide, 22, 'strong', TEXT, 'middle')
    pen.line(number(seat.total), at + wide / 2, y + h - 12, wide, 32, 'name', TEXT, 'middle')
  })
}

function drawBoard(pen: Pen, { board, rows, columns }: LiteSeat, box: Box, hidden: boolean, theirs: boolean): void {
  const aside = hidden || box.w < 400 ? 0 : 92
  const foot = columns ? 30 : 0
  const tall = (box.h - foot - 2 * 20) / 3
  const wide = box.w - aside
  const size = Math.min(tall - 34, wide / 3 - 26)
  board.forEach((cells, n) => {
    const y = box.y + n * (tall + 20)
    pen.groove({ x: box.x, y, w: wide, h: tall })
    cells.forEach((face, at) => {
      if (face !== null)
        pen.die({ x: box.x + (wide * (2 * at + 1)) / 6 - size / 2, y: y + (tall - size) / 2 - 4, w: size, h: size }, hidden ? 0 : face, theirs)
    })
    const { multiplier, score, base } = rows[n]!
    if (multiplier > 1) pen.stamp(`×${multiplier}`, box.x + wide / 2, y + tall, multiplier > 2)
    if (!aside) return
    pen.line(number(score), box.x + box.w, y + tall / 2 - 10, aside - 10, 34, 'name', TEXT, 'end')
    pen.line(`${base} × ${multiplier}`, box.x + box.w, y + tall / 2 + 20, aside - 10, 17, 'plain', SOFT, 'end')
  })
  columns?.forEach(({ multiplier }, at) => {
    if (multiplier > 1) pen.stamp(`×${multiplier}`, box.x + (wide * (2 * at + 1)) / 6, box.y + box.h - 8, multiplier > 2)
  })
}
