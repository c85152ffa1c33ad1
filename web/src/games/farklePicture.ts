import { below, TEXT, type Box, type Pen } from '../lib/pen'
import type { Card } from '../lib/sharing'
import { number } from '../lib/texts.svelte'
import type { FarkleView } from '../wire'
import type { Drawing } from '.'
import { drawing as scores } from './plainPicture'

/** With more turns than these, their points are not written over them. */
const MOST_TAGS = 10
const DICE = 150

/** The last dice, where there are any; below them the turns of one player, or everybody's points. */
export const drawing: Drawing = (pen, card, box) => {
  const faces = (card.table.view as FarkleView).dice.map(({ value }) => value ?? 0)
  const dice = card.hidden || faces.some((face) => face > 0)
  if (dice) sixDice(pen, faces, { ...box, h: DICE }, card.hidden)
  const rest = dice ? below(box, DICE) : box
  if (card.names.length > 1) scores(pen, card, rest)
  else turns(pen, card, rest)
}

function sixDice(pen: Pen, faces: number[], { x, y, w, h }: Box, hidden: boolean): void {
  pen.groove({ x, y, w, h })
  const size = Math.min(h - 60, w / 6 - 18)
  for (let n = 0; n < 6; n++)
    pen.die({ x: x + (w * (2 * n + 1)) / 12 - size / 2, y: y + (h - size) / 2 - 3, w: size, h: size }, hidden ? 0 : (faces[n] ?? 0))
}

/** A bar for every turn: as high as its points, or where those are hidden, as its word says. */
function turns(pen: Pen, { parts, hidden }: Card, { x, y, w, h }: Box): void {
  const WORD: Record<string, number> = { farkle: 0, small: 0.4, large: 0.7, hot: 1 }
  const most = Math.max(1, ...parts.map(({ n }) => n ?? 0))
  const step = w / Math.max(6, parts.length)
  const tags = parts.length <= MOST_TAGS && !hidden
  parts.forEach(({ code, n }, at) => {
    const tall = (hidden ? (WORD[code] ?? 0) : (n ?? 0) / most) * (h - 40)
    const bar = { x: x + at * step + step * 0.12, y: y + h - Math.max(tall, 26), w: step * 0.76, h: Math.max(tall, 26) }
    if (code === 'farkle') {
      pen.empty(bar)
      pen.cross(bar)
    } else {
      pen.wood(bar)
      if (code === 'hot') pen.stamp('★', bar.x + bar.w / 2, bar.y + 22, true)
      if (tags) pen.line(number(n ?? 0), bar.x + bar.w / 2, bar.y - 14, step - 4, 18, 'strong', TEXT, 'middle')
    }
  })
}
