/** How large the boards of Knucklebones-lite are in the room there is. All lengths are in sizes of a cell, or pixels. */

/** A board: three rows with what lies between them; how wide a row is, and what it scores, beside it. */
const HEIGHT = 4.46
const ROW = 3.64
const SCORE = 0.72
/** The least that a score and its formula need; without the formula; and the scores of columns, under a board. */
const WORDS = 64
const BARE = 36
const UNDER = 40
/** What these need where they are large, in sizes of a cell. */
const UNDER_LARGE = 0.75
/** A name above a board, and the gap between two. */
const NAME = 22
const GAP = 12
/** What three rows beside each other say under them. */
const STRIP_WORDS = 22
/** From this width on two boards stand beside each other. */
export const ROOMY = 560
/** Larger is not better. */
const MOST = 190

interface Room {
  /** Two boards: the other one's rows beside each other above one's own, or as large, above or beside it. */
  lies: 'alone' | 'strip' | 'above' | 'beside'
  /** The size of a cell, on one's own board and on the other. */
  cell: number
  other: number
  /** A score has its formula with it. */
  formula: boolean
}

interface Asked {
  alone: boolean
  columns: boolean
  /** Both boards matter as much, when it is over: as much of them as can be. */
  equal: boolean
  named: boolean
}

const fits = (width: number, height: number, under: number, words: number): number =>
  Math.max(0, Math.min((width - words) / ROW, width / (ROW + SCORE), (height - under) / HEIGHT, under ? height / (HEIGHT + UNDER_LARGE) : MOST, MOST))

/** How much of both boards there is to see. */
const shown = ({ cell, other }: Room): number => cell ** 2 + other ** 2

/** What fits into `width` and `height`. */
export function roomFor(width: number, height: number, { alone, columns, equal, named }: Asked): Room {
  const under = columns ? UNDER : 0
  if (alone) {
    const cell = fits(width, height, under, WORDS)
    return { lies: 'alone', cell, other: cell, formula: true }
  }
  const name = named ? NAME : 0
  const half = (width - 2 * GAP) / 2
  const words = half > 240 ? WORDS : BARE
  const beside = fits(half, height - name, under, words)
  const pair: Room = { lies: 'beside', cell: beside, other: beside, formula: words === WORDS }
  if (width >= ROOMY) return pair
  const other = Math.min((width - 2 * GAP) / 3 / ROW, 34)
  const rows = 1.42 * other + STRIP_WORDS + (columns ? STRIP_WORDS : 0)
  const strip: Room = { lies: 'strip', cell: fits(width, height - rows - 2 * name - GAP, under, WORDS), other, formula: true }
  if (!equal) return pair.cell > strip.cell ? pair : strip // where one plays, one's own is to be as large as can be
  const above = fits(width, (height - GAP) / 2 - name, under, WORDS)
  const ways: Room[] = [strip, pair, { lies: 'above', cell: above, other: above, formula: true }]
  return ways.reduce((most, one) => (shown(one) > shown(most) ? one : most))
}
