/** A picture of a result, to send to friends: a square with a die, and the words from the top to the link at the foot. */

const SIZE = 1080
const MARGIN = 96
const WIDTH = SIZE - 2 * MARGIN
const DIE = 150
/** From one line to the next, by the size of the letters. */
const LEADING = 1.3

/** Lines of one size. `gap`: the space above the first of them. */
interface Block {
  lines: string[]
  size: number
  colour: string
  gap: number
}

/** `played`: by which rules and for what, or empty. `summary`: a line for each seat, and what else there is to say. */
export async function picture(title: string, played: string, headline: string, summary: string, link: string): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE })
  const pen = canvas.getContext('2d')!
  pen.fillStyle = '#fafafa'
  pen.fillRect(0, 0, SIZE, SIZE)
  drawDie(pen, SIZE - MARGIN - DIE, MARGIN)

  const beside = WIDTH - DIE - 40
  const head = [fitted(pen, [title], 38, 26, 1, '#666', beside), fitted(pen, [played], 38, 30, 2, '#666', beside)]
  const top = Math.max(write(pen, head, MARGIN), MARGIN + DIE)
  const foot = fitted(pen, [link.replace(/^https?:\/\//, '')], 28, 20, 2, '#666', WIDTH)
  const bottom = SIZE - MARGIN - heightOf([foot])
  write(pen, [foot], bottom)

  // as large as the width allows, but six seats have to stand between head and foot
  const lines = summary.split('\n')
  let body: Block[] = []
  for (let size = 64; size >= 28; size -= 4) {
    body = [fitted(pen, [headline], size * 1.75, size, 2, '#333', WIDTH), fitted(pen, lines, size, 28, lines.length, '#333', WIDTH)]
    body[1]!.gap = size * 0.6
    if (heightOf(body) <= bottom - top - MARGIN) break
  }
  write(pen, body, (top + bottom - heightOf(body)) / 2)
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'))
}

const fontOf = (size: number): string => `${size > 64 ? 650 : 450} ${size}px system-ui, sans-serif`

/** These `lines` in the largest size, from `most` down to `least`, in which they fill no more than `rows` of that `width`. */
function fitted(pen: CanvasRenderingContext2D, lines: string[], most: number, least: number, rows: number, colour: string, width: number): Block {
  for (let size = most; ; size = Math.max(least, size - 2)) {
    pen.font = fontOf(size)
    const broken = lines.filter(Boolean).flatMap((line) => wrapped(pen, line, width))
    if (broken.length <= rows || size <= least) return { lines: broken, size, colour, gap: 0 }
  }
}

/** A line in as many as the `width` makes of it, in the pen's font. */
function wrapped(pen: CanvasRenderingContext2D, line: string, width: number): string[] {
  const found = ['']
  for (const piece of line.split(/(?<=[\s/])/)) {
    if (found.at(-1) && pen.measureText(found.at(-1) + piece.trimEnd()).width > width) found.push('')
    found[found.length - 1] += piece
  }
  return found
}

const heightOf = (blocks: Block[]): number => blocks.reduce((sum, { lines, size, gap }) => sum + gap + lines.length * size * LEADING, 0)

/** Writes them below each other, from `y` on, and says where they end. */
function write(pen: CanvasRenderingContext2D, blocks: Block[], y: number): number {
  pen.textBaseline = 'middle'
  for (const { lines, size, colour, gap } of blocks) {
    y += gap
    pen.font = fontOf(size)
    pen.fillStyle = colour
    for (const line of lines) {
      pen.fillText(line.trimEnd(), MARGIN, y + (size * LEADING) / 2)
      y += size * LEADING
    }
  }
  return y
}

function drawDie(pen: CanvasRenderingContext2D, x: number, y: number): void {
  pen.fillStyle = '#fff'
  pen.strokeStyle = '#333'
  pen.lineWidth = 6
  pen.beginPath()
  pen.roundRect(x, y, DIE, DIE, 30)
  pen.fill()
  pen.stroke()
  pen.fillStyle = '#333'
  for (const [cx, cy] of [
    [111, 39],
    [75, 75],
    [39, 111],
  ] as const) {
    pen.beginPath()
    pen.arc(x + cx, y + cy, 14, 0, 7)
    pen.fill()
  }
}
