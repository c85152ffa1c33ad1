/** What a picture is drawn with: letters, and the things that games are played with, as light as on the tables by day. */

import { PIPS } from './pips'

export const TEXT = '#333'
export const SOFT = '#666'
const LEADING = 1.24

const FONTS = {
  plain: '450 {}px system-ui, sans-serif',
  strong: '650 {}px system-ui, sans-serif',
  name: "700 {}px ui-serif, 'Iowan Old Style', 'Palatino Linotype', 'Noto Serif', serif",
}
type Font = keyof typeof FONTS

export interface Box {
  x: number
  y: number
  w: number
  h: number
}

/** Lines of one size, at most so many. `gap`: the space above the first of them. */
export interface Block {
  text: string
  size: number
  font: Font
  colour: string
  gap: number
  most: number
}

export interface Laid extends Block {
  lines: string[]
}

/** Below each other, they take so much. */
export const heightOf = (blocks: Laid[]): number => blocks.reduce((sum, { lines, size, gap }) => sum + gap + lines.length * size * LEADING, 0)

/** What a thing so `high` leaves of a box. */
export const below = ({ x, y, w, h }: Box, high: number): Box => ({ x, y: y + high + 24, w, h: h - high - 24 })

export class Pen {
  constructor(readonly ink: CanvasRenderingContext2D) {
    ink.textBaseline = 'middle'
  }

  // -- letters

  #set(font: Font, size: number): void {
    this.ink.font = FONTS[font].replace('{}', String(size))
  }

  #wide(text: string): number {
    return this.ink.measureText(text).width
  }

  /** As large as it says, or as it takes to stay within its lines. */
  laid(block: Block, width: number): Laid {
    for (let { size } = block; ; size -= 1) {
      this.#set(block.font, size)
      const lines = this.#wrapped(block.text, width)
      if (size <= 13 || (lines.length <= block.most && lines.every((line) => this.#wide(line) <= width))) return { ...block, size, lines }
    }
  }

  /** A line in as many as the `width` makes of it, in the pen's font. */
  #wrapped(text: string, width: number): string[] {
    const found = ['']
    for (const piece of text.split(/(?<=[\s/])/)) {
      if (found.at(-1) && this.#wide(found.at(-1) + piece.trimEnd()) > width) found.push('')
      found[found.length - 1] += piece
    }
    return found.map((line) => line.trimEnd())
  }

  /** Writes them below each other, from `y` on. */
  write(blocks: Laid[], x: number, y: number): void {
    for (const { lines, size, font, colour, gap } of blocks) {
      y += gap
      this.#set(font, size)
      this.ink.fillStyle = colour
      for (const line of lines) {
        this.ink.fillText(line, x, y + (size * LEADING) / 2)
        y += size * LEADING
      }
    }
  }

  /** One line within `width`, from `x` to the right, or to the left with `end`, or about it with `middle`. */
  line(text: string, x: number, y: number, width: number, size: number, font: Font, colour: string, at: 'start' | 'end' | 'middle' = 'start'): void {
    do this.#set(font, size--)
    while (size > 9 && this.#wide(text) > width)
    const wide = this.#wide(text)
    this.ink.fillStyle = colour
    this.ink.fillText(text, at === 'start' ? x : at === 'end' ? x - wide : x - wide / 2, y)
  }

  // -- things

  round({ x, y, w, h }: Box, radius: number, fill: string | CanvasGradient): void {
    this.ink.fillStyle = fill
    this.ink.beginPath()
    this.ink.roundRect(x, y, w, h, radius)
    this.ink.fill()
  }

  path(...points: [number, number][]): void {
    this.ink.beginPath()
    points.forEach(([x, y], n) => (n ? this.ink.lineTo(x, y) : this.ink.moveTo(x, y)))
    this.ink.stroke()
  }

  #shade({ x, y, h }: Box, from: string, to: string): CanvasGradient {
    const found = this.ink.createLinearGradient(x, y, x, y + h)
    found.addColorStop(0, from)
    found.addColorStop(1, to)
    return found
  }

  linen(box: Box): void {
    const { ink } = this
    this.round(box, 28, '#cdc4b1')
    const cloth = { x: box.x + 6, y: box.y + 6, w: box.w - 12, h: box.h - 12 }
    this.round(cloth, 22, '#e5dfd2')
    ink.save()
    ink.clip()
    ink.strokeStyle = 'rgb(90 73 38 / 0.06)'
    ink.lineWidth = 1
    for (let at = 0; at < box.w; at += 3) this.path([cloth.x + at, cloth.y], [cloth.x + at, cloth.y + cloth.h])
    for (let at = 0; at < box.h; at += 3) this.path([cloth.x, cloth.y + at], [cloth.x + cloth.w, cloth.y + at])
    ink.restore()
  }

  groove(box: Box): void {
    this.round({ ...box, y: box.y + 2 }, 18, '#fff')
    this.round(box, 18, this.#shade(box, '#dbd8d0', '#eeece7'))
    this.round({ x: box.x + 1.5, y: box.y + 4, w: box.w - 3, h: box.h - 5 }, 17, '#eeece7')
  }

  /** Bone, or slate with a rim for the others; face 0 lies face down. */
  die(box: Box, face: number, theirs = false): void {
    const { ink } = this
    const size = box.w
    const radius = size * 0.27
    this.round({ ...box, y: box.y + size * 0.16 }, radius, 'rgb(60 45 20 / 0.16)')
    this.round({ ...box, y: box.y + size * 0.075 }, radius, theirs ? '#8799a5' : '#cfc3aa')
    this.round(box, radius, theirs ? this.#shade(box, '#dfe7ec', '#bccad3') : this.#shade(box, '#fffefa', '#efe7d6'))
    if (theirs) {
      ink.strokeStyle = 'rgb(30 48 60 / 0.42)'
      ink.lineWidth = 1.5
      ink.beginPath()
      ink.roundRect(box.x + size * 0.09, box.y + size * 0.09, size * 0.82, size * 0.82, size * 0.19)
      ink.stroke()
    }
    ink.fillStyle = '#2a2622'
    for (const place of PIPS[face] ?? '') {
      ink.beginPath()
      ink.arc(box.x + size * (0.25 + 0.25 * (Number(place) % 3)), box.y + size * (0.25 + 0.25 * Math.floor(Number(place) / 3)), size * 0.09, 0, 7)
      ink.fill()
    }
  }

  /** A place where nothing is. */
  empty({ x, y, w, h }: Box): void {
    const { ink } = this
    ink.strokeStyle = '#8b8473'
    ink.lineWidth = 1.5
    ink.setLineDash([5, 5])
    ink.beginPath()
    ink.roundRect(x, y, w, h, Math.min(w, h) * 0.27)
    ink.stroke()
    ink.setLineDash([])
  }

  cross({ x, y, w, h }: Box): void {
    const [cx, cy] = [x + w / 2, y + h / 2]
    this.ink.strokeStyle = '#9c4412'
    this.ink.lineWidth = 3
    this.path([cx - 6, cy - 6], [cx + 6, cy + 6])
    this.path([cx + 6, cy - 6], [cx - 6, cy + 6])
  }

  /** Wood, standing, or lying `flat`. */
  wood(box: Box, flat = false): void {
    this.round({ ...box, y: box.y + 5 }, 8, '#a97c48')
    this.round(box, 8, flat ? this.#shade(box, '#d9b581', '#c79d63') : this.#shade(box, '#ecd3a8', '#d9b581'))
  }

  /** About a point: how many times a set counts. */
  stamp(text: string, x: number, y: number, filled: boolean): void {
    this.#set('name', 19)
    const wide = Math.max(38, this.#wide(text) + 18)
    const box = { x: x - wide / 2, y: y - 15, w: wide, h: 30 }
    this.round(box, 10, TEXT)
    if (!filled) this.round({ x: box.x + 2, y: box.y + 2, w: wide - 4, h: 26 }, 8, '#fff')
    this.line(text, x, y + 1, wide, 19, 'name', filled ? '#fff' : TEXT, 'middle')
  }
}
