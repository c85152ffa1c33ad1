/** What there is a quick match for, as server/quick.py has it. */

interface Pool {
  game: string
  /** So many people play at most. */
  most: number
}

const MOST = 6

export const POOLS: Readonly<Record<string, Pool>> = {
  'lite-versus': { game: 'lite-versus', most: 2 },
  farkle: { game: 'farkle', most: 2 },
  'shut-the-box': { game: 'shut-the-box', most: 2 },
  knucklebones: { game: 'knucklebones', most: 2 },
  'farkle-table': { game: 'farkle', most: MOST },
  'shut-the-box-table': { game: 'shut-the-box', most: MOST },
}

/** For larger tables of that game. */
export const tableOf = (game: string): string => `${game}-table`

/** In which search they met who play this. */
export const poolOf = ({ game, places }: { game: string; places: readonly unknown[] }): string => (places.length > 2 ? tableOf(game) : game)

/** How somebody may think who was found so. */
export const CLOCK = '30+120'
