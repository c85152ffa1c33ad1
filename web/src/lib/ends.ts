/** How a run ended. */

import { gameOf } from '../games'
import * as api from './api'
import { PERSON, personSeats } from './people.svelte'
import type { Stage } from './stage.svelte'
import { number } from './texts.svelte'
import type { RunInfo, View } from '../wire'

/** From where the player of this device sits; `done` where several people sit here, or nobody does, or nothing was to be
 * won. */
export function outcome({ outcomes }: View, seats: readonly string[]): NonNullable<View['outcomes'][number]> | 'done' {
  const mine = personSeats(seats)
  if (outcomes.includes('drawn')) return 'drawn'
  return (mine.length > 1 || (mine.length === 0 && seats.includes(PERSON)) ? null : outcomes[mine[0] ?? 0]) ?? 'done'
}

/** A score as its game writes it. */
export const figureOf = (view: View, score: number): string | number => gameOf(view.game).words.figure?.(view, score) ?? score

export function scoreText(view: View, score: number): string {
  const figure = figureOf(view, score)
  return typeof figure === 'number' ? number(figure) : figure
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
