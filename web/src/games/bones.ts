import type { BonesView } from '../wire'
import { t, word } from '../lib/texts.svelte'
import type { Words } from '.'

/** A die on the table: it stays itself while others come, go and make it slide. */
export interface Bone {
  id: number
  face: number
}

/** A die that was there a moment ago. */
export interface Broken extends Bone {
  seat: number
  column: number
  slot: number
}

/** What a placement did. */
export interface Placed {
  seat: number
  column: number
  face: number
  score: number
  gained: number
  /** The opponent's dice that are gone, and the points that went with them. */
  broken: number
  lost: number
}

/** What lies on the table, and what happened to it last. */
export interface Scene {
  /** By seat and column, from the middle outwards. */
  bones: Bone[][][]
  broken: Broken[]
  placed: Placed | null
}

function placement(before: BonesView, after: BonesView): Placed | null {
  const seat = before.to_move
  if (seat === null || before.die === null) return null
  const [mine, theirs] = [before.seats[seat]!, before.seats[1 - seat]!]
  const [mineNow, theirsNow] = [after.seats[seat]!, after.seats[1 - seat]!]
  const column = mine.columns.findIndex((was, n) => mineNow.columns[n]!.length === was.length + 1)
  if (column < 0 || mineNow.columns[column]!.at(-1) !== before.die) return null
  return {
    seat,
    column,
    face: before.die,
    score: mineNow.column_scores[column]!,
    gained: mineNow.column_scores[column]! - mine.column_scores[column]!,
    broken: theirs.columns[column]!.length - theirsNow.columns[column]!.length,
    lost: theirs.column_scores[column]! - theirsNow.column_scores[column]!,
  }
}

/** Follows a table from view to view, so that every die can be seen to stay, to slide or to break. */
export class Following {
  #view: BonesView | null = null
  #ids = 0
  #scene: Scene = { bones: [], broken: [], placed: null }

  follow(view: BonesView): Scene {
    const before = this.#view
    this.#view = view
    if (before !== null && grids(before) === grids(view)) return this.#scene
    const old = this.#scene.bones
    const bones = view.seats.map(({ columns }, seat) => columns.map((column, n) => this.#same(old[seat]?.[n] ?? [], column)))
    const placed = before && placement(before, view)
    return (this.#scene = { bones, broken: placed ? gone(old, bones, placed) : [], placed })
  }

  /** The dice that were there before are the same ones, in the same order, as far as there are any. */
  #same(before: Bone[], column: number[]): Bone[] {
    let from = 0
    return column.map((face) => {
      const found = before.findIndex((bone, n) => n >= from && bone.face === face)
      if (found < 0) return { id: ++this.#ids, face }
      from = found + 1
      return before[found]!
    })
  }
}

const grids = (view: BonesView): string => JSON.stringify(view.seats.map((seat) => seat.columns))

function gone(old: Bone[][][], now: Bone[][][], { seat, column }: Placed): Broken[] {
  const left = now[1 - seat]![column]!
  return old[1 - seat]![column]!.flatMap((bone, slot) => (left.includes(bone) ? [] : [{ ...bone, seat: 1 - seat, column, slot }]))
}

/** A placement in a sentence. */
export function told({ face, column, score, broken, lost }: Placed, who: string): string {
  const what = { who, face: word(face), column: column + 1 }
  return broken ? t('bones.told.broke', { ...what, n: broken, lost }) : t('bones.told.placed', { ...what, score })
}

export const bonesWords: Words<BonesView> = {
  dice: (view) => (view.die === null ? [] : [view.die]),
  ticks: () => 10 + Math.floor(6 * Math.random()),
  playerRolls: () => true,
  tell(before, step, after, who) {
    if (step.startsWith('d')) {
      if (after.die === null) return t('bones.told.drawn')
      return t(after.your_turn ? 'bones.told.rolled' : 'bones.told.fell', { face: word(after.die) })
    }
    const placed = placement(before, after)
    return placed ? told(placed, who) : ''
  },
  name: (move) => t('bones.move', { column: move }),
  cues(before, step, after) {
    if (step.startsWith('d')) return []
    return ['place', ...(placement(before, after)?.broken ? (['destroy'] as const) : [])]
  },
  dwell(before, step, after) {
    if (step.startsWith('d')) return after.die === null ? 900 : 0
    if (placement(before, after)?.broken) return 800
    return before.your_turn ? 250 : 450
  },
  summary: (view, names) =>
    view.seats
      .map(({ total, column_scores }, n) => t('bones.summary', { who: names[n] ?? '', total, columns: column_scores.join(' + ') }))
      .join('\n'),
  lessons: [
    { text: 'rules.bones.1' },
    { text: 'rules.bones.2', dice: [2, 3, 4], means: '2 + 3 + 4 = 9' },
    { text: 'rules.bones.3', dice: [3, 3], means: '3 × 2 + 3 × 2 = 12' },
    { text: 'rules.bones.4', dice: [3, 3, 3], means: '9 + 9 + 9 = 27' },
    { text: 'rules.bones.5', dice: [5, 5], means: '✕' },
    { text: 'rules.bones.6' },
    { text: 'rules.bones.7' },
  ],
}
