import { TEXT } from '../lib/pen'
import { number } from '../lib/texts.svelte'
import type { KnucklebonesView } from '../wire'
import type { Drawing } from '.'

/** One's own grid below as on the table, of several people the first one's; their first dice in the middle. */
export const drawing: Drawing = (pen, { table, hidden, theirs, names }, { x, y, w, h }) => {
  const size = 55
  const step = size + 13
  const middle = y + h / 2
  const { seats } = table.view as KnucklebonesView
  const near = Math.max(0, theirs.indexOf(false))
  seats.forEach(({ columns, multipliers, total }, seat) => {
    const [way, first] = seat === near ? [1, middle + 16] : [-1, middle - 16 - size]
    columns.forEach((column, n) => {
      const at = x + 6 + n * (size + 30)
      for (let slot = 0; slot < 3; slot++) {
        const cell = { x: at, y: first + way * slot * step, w: size, h: size }
        if (slot < column.length) pen.die(cell, hidden ? 0 : column[slot]!, theirs[seat])
        else pen.empty(cell)
      }
      const most = Math.max(1, ...multipliers[n]!)
      if (most > 1) pen.stamp(`×${most}`, at + size / 2, first + size / 2 + way * (step * 2.5 + 5), most > 2)
    })
    const centre = middle + way * 110
    pen.line(names[seat] ?? '', x + w, centre - 28, 190, 24, 'strong', TEXT, 'end')
    pen.line(number(total), x + w, centre + 16, 190, 52, 'name', TEXT, 'end')
  })
  pen.ink.strokeStyle = '#a99f8a'
  pen.ink.lineWidth = 2
  pen.path([x, middle + 2], [x + w, middle + 2])
}
