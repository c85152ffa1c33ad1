/** How a run ended: each kind of end has a sentence of its own, which is true of it. */

import { list, number, say, t } from './texts.svelte'
import type { LeaderboardEntry, View } from '../wire'

const people = (seats: readonly string[]): number[] => seats.flatMap((name, seat) => (name === 'you' ? [seat] : []))

/** Won, lost or neither, from where the player of this device sits; `done` where several people or nobody's goal was at stake. */
export function outcome(view: View, seats: readonly string[]): 'win' | 'lose' | 'draw' | 'shared' | 'done' {
  const { result } = view
  const mine = people(seats)
  if (result === null) return 'done'
  if (seats.length > 1 && result.winners.length === seats.length) return 'draw'
  if (mine.length > 1) return 'done'
  const won = result.winners.includes(mine[0] ?? 0)
  if (seats.length === 1) return won ? 'win' : result.why.endsWith('-missed') ? 'lose' : 'done'
  return won ? (result.winners.length > 1 ? 'shared' : 'win') : 'lose'
}

/** A run against others, as two texts: won, lost or drawn, and all scores. Nothing of any other. */
export const ended = ({ outcome, scores }: Pick<LeaderboardEntry, 'outcome' | 'scores'>): [string, string] | null =>
  outcome && scores ? [t(`runs.${outcome}`), scores.map((score) => number(score)).join(' : ')] : null

/** The sentence; `names` are those of the seats. */
export function headline(view: View, seats: readonly string[], names: readonly string[]): string {
  const how = outcome(view, seats)
  if (how === 'draw') return t('end.draw')
  if (seats.length === 1) {
    if (how === 'done') return say(`aim.${view.aim.unit}`, { n: view.result?.scores[0] ?? 0 })
    return t(how === 'win' ? 'end.target' : 'end.missed')
  }
  if (how === 'win') return t('end.win')
  const winners = (view.result?.winners ?? []).map((seat) => names[seat] ?? '')
  return t(winners.length > 1 ? 'end.shared' : 'end.won-by', { who: list(winners) })
}
