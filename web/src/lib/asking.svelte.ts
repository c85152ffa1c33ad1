/** Questions to the coach of a table: what is on its way, and why there is no answer. */

import type { Refused, TableShown } from '../wire'
import { known, type Key } from './texts.svelte'

/** How long an answer may take before something is said about it; the longest sums take half of that. */
const PATIENCE = 10_000

/** What somebody wanted to play for at a table, as long as the page is open. */
const goals = new Map<string, string>()

export class Asking {
  /** A question is on its way. */
  open = $state(false)
  /** The goal it is about, if it is not the usual one. */
  goal = $state<string | null>(null)
  /** Why there is no answer. */
  silence = $state<Key | null>(null)
  #timer = 0

  /** Nobody has solved what is played here: there is no use in asking again. */
  get vain(): boolean {
    return this.silence === 'coach.none'
  }

  /** A question goes out; which goal it is about. */
  ask(table: string, goal: string | null): string | null {
    this.open = true
    this.goal = goal ?? goals.get(table) ?? null
    this.silence = null
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => this.open && (this.silence = 'coach.late'), PATIENCE)
    return this.goal
  }

  /** The table has been shown: with the answer, or with another position, which leaves the question behind. */
  shown({ id, hint }: TableShown, moved: boolean): void {
    if (!hint && !moved) return
    if (this.open && hint && this.goal) goals.set(id, this.goal)
    if (!this.vain) this.silence = null
    this.#close()
  }

  /** Nobody waits for the answer any more. */
  drop(): void {
    clearTimeout(this.#timer)
    this.#close()
  }

  /** Whether it was the question that has been refused. */
  refused({ code }: Refused, table: string): boolean {
    if (!this.open) return false
    const reason = `error.${code}`
    if (known(reason)) this.silence = reason
    else {
      this.silence = this.goal === null ? 'coach.none' : 'coach.none.goal'
      goals.delete(table)
    }
    this.#close()
    return true
  }

  #close(): void {
    this.open = false
    this.goal = null
  }
}
