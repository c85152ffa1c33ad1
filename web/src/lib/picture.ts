/** A picture of a result, to send to friends. */

const SIZE = 1080
const MARGIN = 96

export async function picture(title: string, headline: string, summary: string, link: string): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE })
  const pen = canvas.getContext('2d')!
  pen.fillStyle = '#fafafa'
  pen.fillRect(0, 0, SIZE, SIZE)
  drawDie(pen, SIZE - MARGIN - 150, MARGIN)
  let y = MARGIN + 40
  y = write(pen, title, 36, '#666', y, SIZE - 2 * MARGIN - 190) + 110
  y = write(pen, headline, 84, '#333', Math.max(y, 380), SIZE - 2 * MARGIN) + 50
  for (const line of summary.split('\n')) y = write(pen, line, 44, '#333', y + 20, SIZE - 2 * MARGIN)
  write(pen, link.replace(/^https?:\/\//, ''), 26, '#666', SIZE - MARGIN, SIZE - 2 * MARGIN)
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'))
}

/** Writes with line breaks and says where the last line stands. */
function write(pen: CanvasRenderingContext2D, text: string, size: number, colour: string, y: number, width: number): number {
  pen.font = `${size > 60 ? 650 : 450} ${size}px system-ui, sans-serif`
  pen.fillStyle = colour
  let line = ''
  for (const piece of text.split(/(?<=[\s/])/)) {
    if (line && pen.measureText(line + piece).width > width) {
      pen.fillText(line, MARGIN, y)
      y += size * 1.3
      line = ''
    }
    line += piece
  }
  pen.fillText(line, MARGIN, y)
  return y + size * 0.3
}

function drawDie(pen: CanvasRenderingContext2D, x: number, y: number): void {
  pen.fillStyle = '#fff'
  pen.strokeStyle = '#333'
  pen.lineWidth = 6
  pen.beginPath()
  pen.roundRect(x, y, 150, 150, 30)
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
