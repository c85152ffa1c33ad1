/** What somebody thinks of keeping: dice by place, and how they are to be counted. */

import { buzz } from '../lib/haptics'
import { sound } from '../lib/sounds'
import type { Stage } from '../lib/stage.svelte'
import { ECHO } from '../lib/taps'
import { t } from '../lib/texts.svelte'
import type { FarkleKeepMove, FarkleView } from '../wire'

export class Keeping {
  constructor(
    private readonly at: () => Stage,
    private readonly lying: () => boolean,
  ) {}

  /** What the dice showed last, by place. */
  lay: (number | null)[] = []
  private readonly stage = $derived.by(() => this.at())
  private readonly view = $derived.by(() => this.stage.view as FarkleView)
  readonly all = $derived.by(() => (this.view.your_turn && this.lying() ? this.view.moves.filter((move) => move.kind === 'keep') : []))
  /** The keep that the panel recommends: always by the same measure, whatever the coach has been asked. */
  readonly best = $derived.by(() => this.all.find((move) => move.move === this.stage.table?.recommended) ?? null)

  /** The dice that a hint is about. */
  readonly hinted = $derived.by(() => this.placesFor(this.stage.advice?.moves[0]?.move ?? ''))

  /** Only for the position the dice lie in. */
  private picked = $state.raw<{ state: string; dice: number[]; as: string | null }>({ state: '', dice: [], as: null })
  readonly dice = $derived.by(() => (this.picked.state === this.view.state && this.all.length ? this.picked.dice : []))
  /** Those that were set aside for the dice that are in the air, or have just lost the turn: then the view does not say. */
  readonly gone = $derived.by(() => {
    const { busy, rolled } = this.stage
    if (!busy || rolled === null || this.picked.state !== this.view.state) return []
    const free = this.view.dice.filter(({ locked }) => !locked).length
    return rolled.length === free - this.picked.dice.length ? this.picked.dice : []
  })
  readonly groupings = $derived.by(() => {
    const faces = sorted(this.dice.map((place) => this.faceAt(place)))
    return this.all.filter((move) => sorted([...facesOf(move)]) === faces)
  })
  readonly keep = $derived.by(
    () => this.groupings.find((move) => move.move === this.picked.as) ?? this.groupings.find((move) => move.best_grouping) ?? null,
  )

  tap = (place: number): void => {
    const die = this.view.dice[place]!
    if (!this.stage.table?.id) return
    if (this.stage.waiting) return this.stage.misTap('not-your-turn')
    if (this.dice.includes(place))
      return this.letGo(
        place,
        this.dice.filter((other) => other !== place),
      )
    if (!this.view.your_turn) return this.stage.misTap('not-your-turn')
    if (die.locked) return this.stage.misTap('die-kept')
    if (!this.all.length) return this.stage.misTap('already-kept')
    if (!die.scores) return this.stage.misTap('die-plain')
    return this.take(place, [...this.dice, place])
  }

  /** A group comes to what is chosen, as often as there are dice for it; then it goes again. */
  tapGroup = (group: string): void => {
    if (this.stage.waiting) return this.stage.misTap('not-your-turn')
    const others = this.dice.filter((place) => !group.includes(this.faceAt(place)))
    const same = this.dice.map((place) => this.faceAt(place)).filter((face) => group.includes(face))
    const more = this.placesOf([...same, ...group].join(''))
    if (more.length === same.length + group.length) return this.take(group, [...others, ...more])
    if (this.keep?.groups.some((one) => one.group === group)) return this.letGo(group, others)
    return this.take(group, [...others, ...this.placesOf(group)])
  }

  takeBest = (): void => {
    if (this.best && !this.stage.waiting) this.take('best', this.placesOf(facesOf(this.best)), this.best.move)
  }

  toggleBest = (): void => (this.keep === this.best ? this.letGo('best', []) : this.takeBest())

  countAs = (move: string): void => this.pick(this.dice, move)

  /** The places of the dice that a move would keep; none for a roll or a bank. */
  placesFor(move: string): number[] {
    return /^[1-6+]+$/.test(move) ? this.placesOf(move.replaceAll('+', '')) : []
  }

  /** By which die, group or button dice were taken last, and when. */
  private taken: { by: number | string; time: number } = { by: '', time: -Infinity }

  private take(by: number | string, dice: number[], as: string | null = null): void {
    this.taken = { by, time: performance.now() }
    this.pick(dice, as)
  }

  /** A tap that follows at once at the same place is an echo of the one that took them. */
  private letGo(by: number | string, dice: number[]): void {
    if (by !== this.taken.by || performance.now() - this.taken.time > ECHO) this.pick(dice)
  }

  private pick(dice: number[], as: string | null = null): void {
    this.picked = { state: this.view.state, dice, as }
    this.stage.refusal = null
    const { keep } = this
    this.stage.told = keep ? t('farkle.choice', { points: keep.turn_total, n: keep.dice_left }) : dice.length ? t('farkle.hint.not-yet') : ''
    sound('select')
    buzz('select')
  }

  private faceAt(place: number): string {
    return String(this.view.dice[place]?.value ?? '')
  }

  /** So many dice of each face, those first that are chosen already. */
  private placesOf(faces: string): number[] {
    const free = [...this.dice, ...this.view.dice.keys()].filter((place, n, all) => !this.view.dice[place]!.locked && all.indexOf(place) === n)
    return [...faces].flatMap((face) => {
      const found = free.findIndex((place) => this.faceAt(place) === face)
      return found < 0 ? [] : free.splice(found, 1)
    })
  }
}

const facesOf = (keep: FarkleKeepMove): string => keep.groups.map(({ group }) => group).join('')
const sorted = (faces: string[]): string => faces.sort().join('')
