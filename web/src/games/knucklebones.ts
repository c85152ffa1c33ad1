import type { Broken, GameEvent, KnucklebonesView, Placed } from '../wire'
import { happened, setCues } from '../lib/events'
import { t, word, type Key } from '../lib/texts.svelte'
import type { Cue, Words } from '.'

/** A die on the table: it stays itself while others come, go and make it slide. */
export interface LyingDie {
  id: number
  face: number
}

/** What lies on the table, and what happened to it last. */
interface Scene {
  /** By seat and column, from the middle outwards. */
  dice: LyingDie[][][]
  placed: Placed | null
  broken: Broken | null
}

/** Follows a table from view to view, so that every die can be seen to stay, to slide or to break. */
export class Following {
  #grids = ''
  #ids = 0
  #scene: Scene = { dice: [], placed: null, broken: null }

  /** `events` are those that led to the view. */
  follow(view: KnucklebonesView, events: readonly GameEvent[]): Scene {
    const grids = JSON.stringify(view.seats.map((seat) => seat.columns))
    if (grids === this.#grids) return this.#scene
    this.#grids = grids
    const old = this.#scene.dice
    const dice = view.seats.map(({ columns }, seat) => columns.map((column, n) => this.#same(old[seat]?.[n] ?? [], column)))
    return (this.#scene = { dice, placed: happened(events, 'placed') ?? null, broken: happened(events, 'broken') ?? null })
  }

  /** The dice that were there before are the same ones, in the same order, as far as there are any. */
  #same(before: LyingDie[], column: number[]): LyingDie[] {
    let from = 0
    return column.map((face) => {
      const found = before.findIndex((die, n) => n >= from && die.face === face)
      if (found < 0) return { id: ++this.#ids, face }
      from = found + 1
      return before[found]!
    })
  }
}

/** A placement in a sentence, with what it has broken. */
export function told({ face, column, score }: Placed, broken: Broken | null, who: string): string {
  const what = { who, face: word(face), column: column + 1 }
  return broken
    ? t('knucklebones.told.broke', { ...what, n: broken.slots.length, lost: broken.lost })
    : t('knucklebones.told.placed', { ...what, score })
}

export const knucklebonesWords: Words<KnucklebonesView> = {
  ticks: () => 10 + Math.floor(6 * Math.random()),
  playerRolls: () => true,
  tell({ events }, view, who) {
    const placed = happened(events, 'placed')
    if (placed) return told(placed, happened(events, 'broken') ?? null, who)
    if (view.die === null) return t('knucklebones.told.drawn')
    return t('knucklebones.told.rolled', { who, face: word(view.die) })
  },
  name: (move, before) => (before?.die ? t('knucklebones.move.die', { column: move, die: before.die }) : t('knucklebones.move', { column: move })),
  cues({ by, events }) {
    if (by === null) return []
    const broken = happened(events, 'broken')
    return ['place', ...setCues(events), ...(broken ? [['destroy', broken.slots.length] satisfies Cue] : [])]
  },
  dwell({ by, events }, mine) {
    if (by === null) return happened(events, 'drawn') ? 900 : 0
    if (happened(events, 'broken')) return 800
    return mine ? 250 : 450
  },
  summary: (view, names) =>
    view.seats
      .map(({ total, column_scores }, n) => t('knucklebones.summary', { who: names[n] ?? '', total, columns: column_scores.join(' + ') }))
      .join('\n'),
  parts: 'share.columns',
  lessons: [
    { text: 'rules.knucklebones.1' },
    { text: 'rules.knucklebones.2', dice: [2, 3, 4], means: '2 + 3 + 4 = 9' },
    { text: 'rules.knucklebones.3', dice: [3, 3], means: '3 × 2 + 3 × 2 = 12' },
    { text: 'rules.knucklebones.4', dice: [3, 3, 3], means: '9 + 9 + 9 = 27' },
    { text: 'rules.knucklebones.5', dice: [5, 5], means: '✕' },
    { text: 'rules.knucklebones.6' },
    { text: 'rules.knucklebones.7' },
  ],
  lessonsAt({ first }) {
    return first === 'human' ? this.lessons : [...this.lessons, { text: `option.first.${first}.about` as Key }]
  },
}
