/** What a screen needs of a table, wherever the table is: on the server, or one day in a worker of this page. */

import type { OpenTable, Refused, TableShown } from '../wire'

export type Line = 'open' | 'lost' | 'gone' | 'stale'

export interface Watcher {
  /** The table as it is now. */
  /** `asked`: what was asked while the line was cut is asked again, and its answer is still to come. */
  shown(table: TableShown, asked?: boolean): void
  /** A move was refused, with the reason; nothing has happened. */
  refused(refusal: Refused): void
  /** Whether there is a connection; `gone`: no such table; `stale`: this page is older than the server. */
  line(state: Line): void
}

/** A place at one table. Answers come to the watcher. */
export interface Seat {
  /** Make a move; `then` is the one that is to follow at once, for those who judge both. */
  play(move: string, then?: string | null): void
  undo(): void
  /** Ask the coach; the answer comes as `hint` of the table. */
  hint(objective: string | null): void
  leave(): void
}

export interface Tables {
  open(asked: Partial<OpenTable> & { game: string }): Promise<string>
  sit(table: string, watcher: Watcher): Seat
}
