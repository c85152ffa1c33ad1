import { below, SOFT, TEXT, type Box, type Pen } from '../lib/pen'
import { partText, type Card } from '../lib/sharing'
import type { ShutTheBoxView, Tile } from '../wire'
import type { Drawing } from '.'
import { drawing as scores } from './plainPicture'

/** More rounds than these have no tag each. */
const MOST_TAGS = 10
const TILES = 150

/** The box as it was left; below it the rounds of one player, or everybody's points. */
export const drawing: Drawing = (pen, card, box) => {
  tiles(pen, (card.table.view as ShutTheBoxView).tiles, { ...box, h: TILES }, card.hidden)
  if (card.names.length > 1) scores(pen, card, below(box, TILES))
  else rounds(pen, card, below(box, TILES))
}

/** Numbers of tiles tell sums of dice, so where those are hidden the tiles have none, and stand. */
function tiles(pen: Pen, all: Tile[], { x, y, w, h }: Box, hidden: boolean): void {
  const step = w / all.length
  pen.ink.fillStyle = '#8d6d2c'
  pen.ink.fillRect(x, y + h - 10, w, 8)
  all.forEach(({ number: face, open }, n) => {
    const stands = hidden || open
    const tall = stands ? h - 14 : 44
    const tile = { x: x + n * step + 3, y: y + h - 8 - tall, w: step - 6, h: tall }
    pen.wood(tile, !stands)
    if (!hidden)
      pen.line(String(face), tile.x + tile.w / 2, tile.y + tall / 2, tile.w - 4, stands ? 30 : 20, 'name', stands ? '#4a3116' : '#6b4a24', 'middle')
  })
}

/** A tag for every round: shut, or what was left. */
function rounds(pen: Pen, { parts, table }: Card, { x, y, w, h }: Box): void {
  if (parts.length > MOST_TAGS) return
  const across = Math.min(5, parts.length)
  const [wide, tall] = [w / across, 84]
  const top = y + (h - Math.ceil(parts.length / across) * (tall + 12)) / 2
  parts.forEach((part, n) => {
    const at = { x: x + (n % across) * wide + 5, y: top + Math.floor(n / across) * (tall + 12), w: wide - 10, h: tall }
    const [first, ...rest] = `${part.code === 'shut' ? '✓ ' : ''}${partText(part, table.view)}`.split(' ')
    pen.groove(at)
    pen.line(first!, at.x + at.w / 2, at.y + 32, at.w - 10, 28, 'strong', TEXT, 'middle')
    pen.line(rest.join(' '), at.x + at.w / 2, at.y + 62, at.w - 10, 19, 'plain', SOFT, 'middle')
  })
}
