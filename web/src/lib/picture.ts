/** A picture of a result, to send to friends: the words on the left, the board on linen at the right. It is as light as
 * the tables by day, wherever it is seen. Of a running daily the dice lie face down. */

import { gameOf } from '../games'
import { drawing as plain } from '../games/plainPicture'
import { scoreText } from './ends'
import { heightOf, Pen, SOFT, TEXT, type Block, type Box, type Laid } from './pen'
import type { Card } from './sharing'
import { t } from './texts.svelte'

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 56
/** The column of words, and the board. */
const WORDS = 452
const BOARD: Box = { x: 556, y: MARGIN, w: WIDTH - MARGIN - 556, h: HEIGHT - 2 * MARGIN }
const INSIDE: Box = { x: BOARD.x + 36, y: BOARD.y + 34, w: BOARD.w - 72, h: BOARD.h - 68 }

export async function picture(card: Card): Promise<Blob> {
  const { drawing } = gameOf(card.table.view.game)
  const draw = drawing ? await drawing() : plain
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const pen = new Pen(canvas.getContext('2d')!)
  pen.ink.fillStyle = '#fafafa'
  pen.ink.fillRect(0, 0, WIDTH, HEIGHT)
  words(pen, card)
  pen.linen(BOARD)
  draw(pen, card, INSIDE)
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'))
}

function words(pen: Pen, { table, game, day, played, result, summary, row, better, skill, beat, link }: Card): void {
  const { scores } = table.view.result!
  pen.die({ x: MARGIN, y: MARGIN, w: 44, h: 44 }, 4)
  pen.write([pen.laid({ text: t('name'), size: 32, font: 'name', colour: TEXT, gap: 0, most: 1 }, WORDS - 60)], MARGIN + 60, MARGIN + 2)

  const plain = (text: string, size: number, most: number, gap = 6): Block => ({ text, size, font: 'plain', colour: SOFT, gap, most })
  const large = scores.map((one) => scoreText(table.view, one)).join(' : ')
  const middle: Block[] = [
    plain(`${game}, ${day}`, 26, 2, 0),
    plain(played, 20, 2, 2),
    ...(scores.length < 3 ? [{ text: large, size: scores.length > 1 ? 88 : 116, font: 'name', colour: TEXT, gap: 2, most: 1 } as const] : []),
    { ...plain(result, 27, 2), font: 'strong', colour: TEXT },
    // of several seats the board has the names
    plain(scores.length > 1 ? '' : (summary.split('\n').slice(1).join(' · ') ?? ''), 22, 2),
    plain(row, 22, 3),
    { ...plain(better, 23, 3), colour: TEXT },
    plain(skill, 22, 2),
  ]
  const foot: Block[] = [{ text: beat, size: 30, font: 'name', colour: TEXT, gap: 0, most: 2 }, plain(link.replace(/^https?:\/\//, ''), 18, 2, 4)]
  const last = foot.filter(({ text }) => text).map((one) => pen.laid(one, WORDS))
  const bottom = HEIGHT - MARGIN - heightOf(last)
  pen.write(last, MARGIN, bottom)

  const top = MARGIN + 60
  let found: Laid[] = []
  for (const scale of [1, 0.92, 0.84, 0.76, 0.68, 0.6]) {
    found = middle.filter(({ text }) => text).map((one) => pen.laid({ ...one, size: Math.max(15, one.size * scale) }, WORDS))
    if (heightOf(found) <= bottom - top - 24) break
  }
  pen.write(found, MARGIN, top + Math.max(0, bottom - top - 10 - heightOf(found)) / 2)
}
