/** A duel: several play the same dice, each their own board. Who is where, as far as the hall shows it. */

import type { BoardShown, Guest } from '../wire'
import type { Room } from './room.svelte'
import { number, say, t } from './texts.svelte'

interface Row {
  place: number
  name: string
  guest: Guest
  board: BoardShown
  /** As it is written. */
  score: string
}

/** Whoever is ahead comes first; nobody as long as no dice have fallen. */
export function ranking({ room, places, names }: Room): Row[] {
  const rows = (room?.boards ?? []).map((board, place) => ({ place, name: names[place] ?? '', guest: places[place]!, board, score: scoreOf(board) }))
  return rows.filter(({ guest }) => guest).sort((one, other) => one.board.rank - other.board.rank || one.place - other.place)
}

export const inWords = ({ score, unit }: BoardShown): string => say(`aim.${unit}`, { n: score })
const scoreOf = (board: BoardShown): string => (board.unit === 'points' ? number(board.score) : inWords(board))

/** What there is to say of a board beside its score. */
export function stateOf({ guest, board }: Row): string {
  if (guest.gone) return t(`room.gone.${guest.gone as 'resigned' | 'time' | 'left' | 'ended'}`)
  if (board.done) return t('duel.done')
  return guest.here ? '' : t('room.away')
}

/** How long a duel may last. */
export const limitName = (minutes: number): string => (minutes ? t('duel.minutes', { n: minutes }) : t('duel.no-limit'))
