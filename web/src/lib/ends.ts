/** How a run ended: each kind of end has a sentence of its own, which is true of it. */

import { gameOf } from '../games'
import * as api from './api'
import type { Stage } from './stage.svelte'
import { list, number, say, t } from './texts.svelte'
import type { LeaderboardEntry, RunInfo, View } from '../wire'

const people = (seats: readonly string[]): number[] => seats.flatMap((name, seat) => (name === 'you' ? [seat] : []))

/** From where the player of this device sits; `done` where several people sit here, or nothing was to be won. */
export function outcome({ outcomes }: View, seats: readonly string[]): NonNullable<View['outcomes'][number]> | 'done' {
  const mine = people(seats)
  if (outcomes.includes('drawn')) return 'drawn'
  return (mine.length > 1 ? null : outcomes[mine[0] ?? 0]) ?? 'done'
}

/** A run against others, as two texts: won, lost or drawn (nothing where several people sat here), and all scores. */
export const ended = ({ outcome, scores }: Pick<LeaderboardEntry, 'outcome' | 'scores'>): [string, string] | null =>
  scores && scores.length > 1 ? [outcome ? t(`runs.${outcome}`) : '', scores.map((score) => number(score)).join(' : ')] : null

/** A score as its game writes it. */
export const figureOf = (view: View, score: number): string | number => gameOf(view.game).words.figure?.(view, score) ?? score

export function scoreText(view: View, score: number): string {
  const figure = figureOf(view, score)
  return typeof figure === 'number' ? number(figure) : figure
}

/** The sentence for the player of this device; `names` are those of the seats. */
export function headline(view: View, seats: readonly string[], names: readonly string[]): string {
  const how = outcome(view, seats)
  if (how === 'drawn') return t('end.draw')
  if (seats.length === 1) {
    if (how === 'done') return say(`aim.${view.aim.unit}`, { n: figureOf(view, view.result?.scores[0] ?? 0) })
    return t(how === 'won' ? 'end.target' : 'end.missed')
  }
  if (how === 'won') return t('end.win')
  const winners = view.result?.winners ?? []
  if (how === 'shared')
    return t('end.shared-with', {
      who: named(
        winners.filter((seat) => seat !== people(seats)[0]),
        names,
      ),
    })
  return t(winners.length > 1 ? 'end.shared' : 'end.won-by', { who: named(winners, names) })
}

const named = (seats: readonly number[], names: readonly string[]): string => list(seats.map((seat) => names[seat] ?? ''))

/** The sentence for those who were not there: it speaks to nobody. `nickname`: the player's, also among the `names` of the
 * seats; empty for a guest without one. */
export function headlineForOthers(view: View, seats: readonly string[], names: readonly string[], nickname: string): string {
  const how = outcome(view, seats)
  if (how === 'shared') return t('end.shared', { who: named(view.result!.winners, names) })
  if (how !== 'won') return headline(view, seats, names)
  if (seats.length === 1) return t('share.reached')
  if (nickname) return t('end.won-by', { who: nickname })
  const { scores } = view.result!
  const own = people(seats)[0] ?? 0
  return t('share.won', { scores: [scores[own]!, ...scores.filter((_, seat) => seat !== own)].map((score) => number(score)).join(' : ') })
}

const kept = new WeakMap<Stage, [run: string, Promise<RunInfo>]>()

/** The run that a table has left, as the hall keeps it: asked for once, by whoever needs it first. */
export function keptRun(stage: Stage): Promise<RunInfo> {
  const run = stage.table!.run!
  const [known, before] = kept.get(stage) ?? []
  if (before && known === run) return before
  const found = api.run(run)
  kept.set(stage, [run, found])
  found.catch(() => kept.delete(stage)) // whoever asks again may hear
  return found
}
