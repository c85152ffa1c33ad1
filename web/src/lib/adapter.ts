/** What a screen needs of a table, wherever the table is: on the server, or one day in a worker of this page. */

import type { Frame, OpenTable, Refused, TableInfo, TableShown } from '../wire'

/**
 * How it stands with a table's line: open; broken and tried again, or put off by a hall that has much to do; or ended,
 * because the page is older than the hall, there is no such table, it is damaged, or we may not sit there any more.
 */
export type Line = 'open' | 'lost' | 'later' | 'stale' | (typeof ENDS)[number]
const ENDS = ['gone', 'damaged', 'banned', 'signed-out'] as const

/** There is nothing to be played at this table any more, here and by us. */
export const isEnded = (line: Line): boolean => ENDS.some((end) => end === line)

export interface Watcher {
  /** The table as it is now; `asked`: what was asked while the line was cut is asked again, and not answered yet. */
  shown(table: TableShown, asked?: boolean): void
  /** What was asked has arrived and is not durable yet: the table or a refusal follows. */
  delayed(): void
  /** A move was refused, with the reason; nothing has happened. */
  refused(refusal: Refused): void
  /** Whether there is a connection, or why not. */
  line(state: Line): void
}

/** A place at one table. Answers come to the watcher. */
export interface Seat {
  /** Make a move; `then` is the one right after it, which is made with it or not at all. */
  play(move: string, then?: string | null): void
  undo(): void
  /** Ask the coach; the answer comes as `hint` of the table. */
  hint(objective: string | null): void
  /** What has been asked has not left this device: it can still be forgotten. */
  unsent(): boolean
  /** What has been asked is not asked again when the line comes back. */
  forget(): void
  /** Everything that has happened here so far, from the start, each step with the table after it. */
  film(): Promise<Frame[]>
  leave(): void
}

export interface Tables {
  open(asked: Partial<OpenTable> & { game: string }): Promise<TableInfo>
  sit(table: string, watcher: Watcher): Seat
}
