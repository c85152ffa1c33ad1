/** What has happened at a table, step by step, as the hall tells it. */

import type { Frame, TableShown, View } from '../wire'

/** A frame, and which step of the run it is. */
export type Step = Frame & { number: number }

/** Steps that are shown together, moves of one seat and a roll at most, and how the table is after them. */
export interface Scene {
  steps: Step[]
  view: View
}

export const diceOf = (roll: string): number[] => [...roll.slice(1)].map(Number)

/** The steps of a table's film; how it was before the first roll is none. */
export function stepsOf({ film, count }: TableShown): Step[] {
  return film.map((frame, n) => ({ ...frame, number: count - film.length + 1 + n })).filter(({ step }) => step !== '')
}

/** Steps that do not say how the table was after them are shown together with the next one. */
export function scenesOf(film: Step[], end: View): Scene[] {
  const scenes: Scene[] = []
  let steps: Step[] = []
  for (const step of film) {
    steps.push(step)
    const view = step.view ?? (step === film.at(-1) ? end : null)
    if (view === null) continue
    scenes.push({ steps, view })
    steps = []
  }
  return scenes
}
