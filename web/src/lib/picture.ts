/** A picture of a result, to send to friends: the words on the left, the board on linen at the right. It is as light as
 * the tables by day, wherever it is seen. Of a running daily the dice lie face down. */

import { PIPS } from './pips'
import type { KnucklebonesSeat, LiteSeat } from '../wire'
import { partText, type Card } from './sharing'
import { number, t } from './texts.svelte'

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 56
/** The column of words, and the board. */
const WORDS = 452
const BOARD: Box = { x: 556, y: MARGIN, w: WIDTH - MARGIN - 556, h: HEIGHT - 2 * MARGIN }
const LEADING = 1.24
/** Turns with their points written over them, and rounds that have a tag each. */
const MOST_TAGS = 10

const TEXT = '#333'
const SOFT = '#666'

const FONTS = {
  plain: '450 {}px system-ui, sans-serif',
  strong: '650 {}px system-ui, sans-serif',
  name: "700 {}px ui-serif, 'Iowan Old Style', 'Palatino Linotype', 'Noto Serif', serif",
}
type Font = keyof typeof FONTS

interface Box {
  x: number
  y: number
  w: number
  h: number
}

/** Lines of one size, at most so many. `gap`: the space above the first of them. */
interface Block {
  text: string
  size: number
  font: Font
  colour: string
  gap: number
  most: number
}

interface Laid extends Block {
  lines: string[]
}

let pen: CanvasRenderingContext2D

export async function picture(card: Card): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  pen = canvas.getContext('2d')!
  pen.textBaseline = 'middle'
  pen.fillStyle = '#fafafa'
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  words(card)
  board(card)
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'))
}

// -- words

function words(card: Card): void {
  const { table, game, day, played, result, summary, row, better, skill, beat, link } = card
  const { scores } = table.view.result!
  die({ x: MARGIN, y: MARGIN, w: 44, h: 44 }, 4, false)
  write([laid({ text: t('name'), size: 32, font: 'name', colour: TEXT, gap: 0, most: 1 }, WORDS - 60)], MARGIN + 60, MARGIN + 2)

  const plain = (text: string, size: number, most: number, gap = 6): Block => ({ text, size, font: 'plain', colour: SOFT, gap, most })
  const large = scores.map((one) => number(one)).join(' : ')
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
  const foot: Block[] = [
    { text: beat && `${beat}.`, size: 30, font: 'name', colour: TEXT, gap: 0, most: 2 },
    plain(link.replace(/^https?:\/\//, ''), 18, 2, 4),
  ]
  const last = foot.filter(({ text }) => text).map((one) => laid(one, WORDS))
  const bottom = HEIGHT - MARGIN - heightOf(last)
  write(last, MARGIN, bottom)

  const top = MARGIN + 60
  let found: Laid[] = []
  for (const scale of [1, 0.92, 0.84, 0.76, 0.68, 0.6]) {
    found = middle.filter(({ text }) => text).map((one) => laid({ ...one, size: Math.max(15, one.size * scale) }, WORDS))
    if (heightOf(found) <= bottom - top - 24) break
  }
  write(found, MARGIN, top + Math.max(0, bottom - top - 10 - heightOf(found)) / 2)
}

const setFont = (font: Font, size: number): void => void (pen.font = FONTS[font].replace('{}', String(size)))

/** As large as it says, or as it takes to stay within its lines. */
function laid(block: Block, width: number): Laid {
  for (let { size } = block; ; size -= 1) {
    setFont(block.font, size)
    const lines = wrapped(block.text, width)
    if (size <= 13 || (lines.length <= block.most && lines.every((line) => pen.measureText(line).width <= width))) return { ...block, size, lines }
  }
}

/** A line in as many as the `width` makes of it, in the pen's font. */
function wrapped(text: string, width: number): string[] {
  const found = ['']
  for (const piece of text.split(/(?<=[\s/])/)) {
    if (found.at(-1) && pen.measureText(found.at(-1) + piece.trimEnd()).width > width) found.push('')
    found[found.length - 1] += piece
  }
  return found.map((line) => line.trimEnd())
}

const heightOf = (blocks: Laid[]): number => blocks.reduce((sum, { lines, size, gap }) => sum + gap + lines.length * size * LEADING, 0)

/** Writes them below each other, from `y` on. */
function write(blocks: Laid[], x: number, y: number): void {
  for (const { lines, size, font, colour, gap } of blocks) {
    y += gap
    setFont(font, size)
    pen.fillStyle = colour
    for (const line of lines) {
      pen.fillText(line, x, y + (size * LEADING) / 2)
      y += size * LEADING
    }
  }
}

/** One line within `width`, from `x` to the right, or to the left with `end`, or about it with `middle`. */
function line(
  text: string,
  x: number,
  y: number,
  width: number,
  size: number,
  font: Font,
  colour: string,
  at: 'start' | 'end' | 'middle' = 'start',
): void {
  do setFont(font, size--)
  while (size > 9 && pen.measureText(text).width > width)
  const wide = pen.measureText(text).width
  pen.fillStyle = colour
  pen.fillText(text, at === 'start' ? x : at === 'end' ? x - wide : x - wide / 2, y)
}

// -- the board

function board(card: Card): void {
  const { view } = card.table
  linen(BOARD)
  const inside: Box = { x: BOARD.x + 36, y: BOARD.y + 34, w: BOARD.w - 72, h: BOARD.h - 68 }
  if (view.game === 'lite-solo') liteBoard(view.seats[0]!, inside, card.hidden, false)
  else if (view.game === 'lite-versus') liteBoards(view.seats, inside, card)
  else if (view.game === 'knucklebones') bones(view.seats, inside, card)
  else {
    const faces = view.game === 'farkle' ? view.dice.map(({ value }) => value ?? 0) : []
    const things = view.game === 'shut-the-box' || (view.game === 'farkle' && (card.hidden || faces.some((face) => face > 0)))
    const [above, below] = things ? halves(inside, 150) : [inside, inside]
    if (view.game === 'shut-the-box') tiles(view.tiles, above, card.hidden)
    else if (things) sixDice(faces, above, card.hidden)
    if (card.names.length > 1) scoreList(card, below)
    else if (view.game === 'farkle') turns(card, below)
    else if (view.game === 'shut-the-box') rounds(card, below)
    else scoreList(card, below)
  }
}

const halves = ({ x, y, w, h }: Box, above: number): [Box, Box] => [
  { x, y, w, h: above },
  { x, y: y + above + 24, w, h: h - above - 24 },
]

function liteBoard({ board, rows, columns }: LiteSeat, box: Box, hidden: boolean, theirs: boolean): void {
  const aside = hidden || box.w < 400 ? 0 : 92
  const foot = columns ? 30 : 0
  const tall = (box.h - foot - 2 * 20) / 3
  const wide = box.w - aside
  const size = Math.min(tall - 34, wide / 3 - 26)
  board.forEach((cells, n) => {
    const y = box.y + n * (tall + 20)
    groove({ x: box.x, y, w: wide, h: tall })
    cells.forEach((face, at) => {
      if (face !== null)
        die({ x: box.x + (wide * (2 * at + 1)) / 6 - size / 2, y: y + (tall - size) / 2 - 4, w: size, h: size }, hidden ? 0 : face, theirs)
    })
    const { multiplier, score, base } = rows[n]!
    if (multiplier > 1) stamp(`×${multiplier}`, box.x + wide / 2, y + tall, multiplier > 2)
    if (!aside) return
    line(number(score), box.x + box.w, y + tall / 2 - 10, aside - 10, 34, 'name', TEXT, 'end')
    line(`${base} × ${multiplier}`, box.x + box.w, y + tall / 2 + 20, aside - 10, 17, 'plain', SOFT, 'end')
  })
  columns?.forEach(({ multiplier }, at) => {
    if (multiplier > 1) stamp(`×${multiplier}`, box.x + (wide * (2 * at + 1)) / 6, box.y + box.h - 8, multiplier > 2)
  })
}

/** Both boards beside each other, whoever is named first on the left. */
function liteBoards(seats: LiteSeat[], { x, y, w, h }: Box, card: Card): void {
  const wide = (w - 28) / 2
  seats.forEach((seat, n) => {
    const at = x + n * (wide + 28)
    liteBoard(seat, { x: at, y, w: wide, h: h - 84 }, card.hidden, n > 0)
    line(card.names[n] ?? '', at + wide / 2, y + h - 44, wide, 22, 'strong', TEXT, 'middle')
    line(number(seat.total), at + wide / 2, y + h - 12, wide, 32, 'name', TEXT, 'middle')
  })
}

/** Theirs above, one's own below, their first dice in the middle. */
function bones(seats: KnucklebonesSeat[], { x, y, w, h }: Box, card: Card): void {
  const size = 55
  const step = size + 13
  const middle = y + h / 2
  seats.forEach(({ columns, multipliers, total }, seat) => {
    const [way, first] = seat === 0 ? [1, middle + 16] : [-1, middle - 16 - size]
    columns.forEach((column, n) => {
      const at = x + 6 + n * (size + 30)
      for (let slot = 0; slot < 3; slot++) {
        const cell = { x: at, y: first + way * slot * step, w: size, h: size }
        if (slot < column.length) die(cell, card.hidden ? 0 : column[slot]!, seat > 0)
        else empty(cell)
      }
      const most = Math.max(1, ...multipliers[n]!)
      if (most > 1) stamp(`×${most}`, at + size / 2, first + size / 2 + way * (step * 2.5 + 5), most > 2)
    })
    const centre = middle + way * 110
    line(card.names[seat] ?? '', x + w, centre - 28, 190, 24, 'strong', TEXT, 'end')
    line(number(total), x + w, centre + 16, 190, 52, 'name', TEXT, 'end')
  })
  pen.strokeStyle = '#a99f8a'
  pen.lineWidth = 2
  path([x, middle + 2], [x + w, middle + 2])
}

function sixDice(faces: number[], { x, y, w, h }: Box, hidden: boolean): void {
  groove({ x, y, w, h })
  const size = Math.min(h - 60, w / 6 - 18)
  for (let n = 0; n < 6; n++)
    die({ x: x + (w * (2 * n + 1)) / 12 - size / 2, y: y + (h - size) / 2 - 3, w: size, h: size }, hidden ? 0 : (faces[n] ?? 0), false)
}

/** A bar for every turn: as high as its points, or where those are hidden, as its word says. */
function turns({ parts, hidden }: Card, { x, y, w, h }: Box): void {
  const WORD: Record<string, number> = { farkle: 0, small: 0.4, large: 0.7, hot: 1 }
  const most = Math.max(1, ...parts.map(({ n }) => n ?? 0))
  const step = w / Math.max(6, parts.length)
  const tags = parts.length <= MOST_TAGS && !hidden
  parts.forEach(({ code, n }, at) => {
    const tall = (hidden ? (WORD[code] ?? 0) : (n ?? 0) / most) * (h - 40)
    const bar = { x: x + at * step + step * 0.12, y: y + h - Math.max(tall, 26), w: step * 0.76, h: Math.max(tall, 26) }
    if (code === 'farkle') {
      empty(bar)
      cross(bar)
    } else {
      wood(bar)
      if (code === 'hot') stamp('★', bar.x + bar.w / 2, bar.y + 22, true)
      if (tags) line(number(n ?? 0), bar.x + bar.w / 2, bar.y - 14, step - 4, 18, 'strong', TEXT, 'middle')
    }
  })
}

/** Numbers of tiles tell sums of dice, so where those are hidden the tiles have none, and stand. */
function tiles(all: { number: number; open: boolean }[], { x, y, w, h }: Box, hidden: boolean): void {
  const step = w / all.length
  pen.fillStyle = '#8d6d2c'
  pen.fillRect(x, y + h - 10, w, 8)
  all.forEach(({ number: face, open }, n) => {
    const stands = hidden || open
    const tall = stands ? h - 14 : 44
    const tile = { x: x + n * step + 3, y: y + h - 8 - tall, w: step - 6, h: tall }
    wood(tile, !stands)
    if (!hidden)
      line(String(face), tile.x + tile.w / 2, tile.y + tall / 2, tile.w - 4, stands ? 30 : 20, 'name', stands ? '#4a3116' : '#6b4a24', 'middle')
  })
}

/** A tag for every round: shut, or what was left. */
function rounds({ parts }: Card, { x, y, w, h }: Box): void {
  if (parts.length > MOST_TAGS) return
  const across = Math.min(5, parts.length)
  const [wide, tall] = [w / across, 84]
  const top = y + (h - Math.ceil(parts.length / across) * (tall + 12)) / 2
  parts.forEach((part, n) => {
    const at = { x: x + (n % across) * wide + 5, y: top + Math.floor(n / across) * (tall + 12), w: wide - 10, h: tall }
    const [first, ...rest] = (part.code === 'shut' ? `✓ ${partText(part)}` : partText(part)).split(' ')
    groove(at)
    line(first!, at.x + at.w / 2, at.y + 32, at.w - 10, 28, 'strong', TEXT, 'middle')
    line(rest.join(' '), at.x + at.w / 2, at.y + 62, at.w - 10, 19, 'plain', SOFT, 'middle')
  })
}

/** Who had how much; winners in strong letters, with a star. */
function scoreList({ table, names }: Card, { x, y, w, h }: Box): void {
  const { scores, winners } = table.view.result!
  const tall = Math.min(64, h / scores.length)
  scores.forEach((score, seat) => {
    const at = y + (h - tall * scores.length) / 2 + tall * (seat + 0.5)
    const won = winners.includes(seat)
    line(`${won ? '★ ' : ''}${names[seat] ?? ''}`, x, at, w - 170, 25, won ? 'strong' : 'plain', TEXT)
    line(number(score), x + w, at, 150, 31, 'name', TEXT, 'end')
  })
}

// -- things

function round({ x, y, w, h }: Box, radius: number, fill: string | CanvasGradient): void {
  pen.fillStyle = fill
  pen.beginPath()
  pen.roundRect(x, y, w, h, radius)
  pen.fill()
}

function path(...points: [number, number][]): void {
  pen.beginPath()
  points.forEach(([x, y], n) => (n ? pen.lineTo(x, y) : pen.moveTo(x, y)))
  pen.stroke()
}

function shade({ x, y, h }: Box, from: string, to: string): CanvasGradient {
  const found = pen.createLinearGradient(x, y, x, y + h)
  found.addColorStop(0, from)
  found.addColorStop(1, to)
  return found
}

function linen(box: Box): void {
  round(box, 28, '#cdc4b1')
  const cloth = { x: box.x + 6, y: box.y + 6, w: box.w - 12, h: box.h - 12 }
  round(cloth, 22, '#e5dfd2')
  pen.save()
  pen.clip()
  pen.strokeStyle = 'rgb(90 73 38 / 0.06)'
  pen.lineWidth = 1
  for (let at = 0; at < box.w; at += 3) path([cloth.x + at, cloth.y], [cloth.x + at, cloth.y + cloth.h])
  for (let at = 0; at < box.h; at += 3) path([cloth.x, cloth.y + at], [cloth.x + cloth.w, cloth.y + at])
  pen.restore()
}

function groove(box: Box): void {
  round({ ...box, y: box.y + 2 }, 18, '#fff')
  round(box, 18, shade(box, '#dbd8d0', '#eeece7'))
  round({ x: box.x + 1.5, y: box.y + 4, w: box.w - 3, h: box.h - 5 }, 17, '#eeece7')
}

/** Bone, or slate with a rim for the others; face 0 lies face down. */
function die(box: Box, face: number, theirs: boolean): void {
  const size = box.w
  const radius = size * 0.27
  round({ ...box, y: box.y + size * 0.16 }, radius, 'rgb(60 45 20 / 0.16)')
  round({ ...box, y: box.y + size * 0.075 }, radius, theirs ? '#8799a5' : '#cfc3aa')
  round(box, radius, theirs ? shade(box, '#dfe7ec', '#bccad3') : shade(box, '#fffefa', '#efe7d6'))
  if (theirs) {
    pen.strokeStyle = 'rgb(30 48 60 / 0.42)'
    pen.lineWidth = 1.5
    pen.beginPath()
    pen.roundRect(box.x + size * 0.09, box.y + size * 0.09, size * 0.82, size * 0.82, size * 0.19)
    pen.stroke()
  }
  pen.fillStyle = '#2a2622'
  for (const place of PIPS[face] ?? '') {
    pen.beginPath()
    pen.arc(box.x + size * (0.25 + 0.25 * (Number(place) % 3)), box.y + size * (0.25 + 0.25 * Math.floor(Number(place) / 3)), size * 0.09, 0, 7)
    pen.fill()
  }
}

/** A place where nothing is. */
function empty({ x, y, w, h }: Box): void {
  pen.strokeStyle = '#8b8473'
  pen.lineWidth = 1.5
  pen.setLineDash([5, 5])
  pen.beginPath()
  pen.roundRect(x, y, w, h, Math.min(w, h) * 0.27)
  pen.stroke()
  pen.setLineDash([])
}

function cross({ x, y, w, h }: Box): void {
  const [cx, cy] = [x + w / 2, y + h / 2]
  pen.strokeStyle = '#9c4412'
  pen.lineWidth = 3
  path([cx - 6, cy - 6], [cx + 6, cy + 6])
  path([cx + 6, cy - 6], [cx - 6, cy + 6])
}

/** Wood, standing, or lying `flat`. */
function wood(box: Box, flat = false): void {
  round({ ...box, y: box.y + 5 }, 8, '#a97c48')
  round(box, 8, flat ? shade(box, '#d9b581', '#c79d63') : shade(box, '#ecd3a8', '#d9b581'))
}

/** About a point: how many times a set counts. */
function stamp(text: string, x: number, y: number, filled: boolean): void {
  setFont('name', 19)
  const wide = Math.max(38, pen.measureText(text).width + 18)
  const box = { x: x - wide / 2, y: y - 15, w: wide, h: 30 }
  round(box, 10, TEXT)
  if (!filled) round({ x: box.x + 2, y: box.y + 2, w: wide - 4, h: 26 }, 8, '#fff')
  line(text, x, y + 1, wide, 19, 'name', filled ? '#fff' : TEXT, 'middle')
}
