/** Several games between the same people, in words. */

import type { Room } from './room.svelte'
import { halves, list, t } from './texts.svelte'

/** One's own first, or that of a place. */
function scoreOf(room: Room, own = room.you ?? 0): string {
  const { places } = room
  return [places[own]!, ...places.filter((_, place) => place !== own)].map((one) => halves(one.halves)).join(' : ')
}

export const seriesText = (room: Room): string => t('series', { best: room.room!.best_of, number: room.room!.number, score: scoreOf(room) })

/** Who has won it; nothing while it goes on. */
export function seriesWon(room: Room): string {
  const winners = room.room?.winners ?? []
  const values = { who: list(winners.map((place) => room.names[place] ?? '')), score: scoreOf(room, winners.length === 1 ? winners[0] : undefined) }
  if (winners.length === 0) return ''
  if (winners.length > 1) return t('series.drawn', values)
  return t(winners[0] === room.you ? 'series.won' : 'series.won-by', values)
}
