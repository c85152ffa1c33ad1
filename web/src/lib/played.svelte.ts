/** What is played at a table, in words: what it counts for, by which rules, and how good the chances are. */

import type { Prospects, TableShown } from '../wire'
import { shared, worth } from './api'
import { changed, hasCoach, infoOf, modeText } from './catalog'
import { latest } from './latest'
import { prospectsOf } from './prospects'
import { rivalAt, toBeat } from './rivals'
import { peopleAt } from './people.svelte'
import type { Stage } from './stage.svelte'
import { chance, dayName, share, t } from './texts.svelte'

/** A chance out of so many, to be said as all others are. */
const OF = 1e9

const isAlone = ({ seats }: TableShown): boolean => seats.length === 1

/** What the run counts for. */
function purpose({ kind, day, first, seats, unranked }: TableShown): string {
  if (kind === 'daily') return `${t('played.daily')}: ${t(first ? 'played.daily.first' : 'played.daily.again')}`
  if (kind === 'archive') return t('daily.of', { day: dayName(day ?? '') })
  if (kind === 'practice') return t('played.practice')
  if (peopleAt(seats) > 1) return t('played.several')
  return t(unranked.length ? 'played.uncounted' : 'played.ranked')
}

/** The preset of a table, or what has been changed; empty for the usual rules. */
export function rulesOf({ mode, view }: TableShown): string {
  const [options = ''] = mode.split(':')
  return options === 'standard' || options === '' ? '' : modeText(view.game, options)
}

export class Played {
  constructor(private readonly at: () => Stage) {}

  private readonly stage = $derived.by(() => this.at())
  private readonly table = $derived.by(() => this.stage.table)
  /** Somebody plays here for a run, and no puzzle. */
  readonly live = $derived.by(() => this.table !== null && this.table.id !== '' && this.stage.banner === null)
  readonly asked = $derived.by(() => {
    const { table } = this
    return this.live && table && table.room === null && hasCoach(table.view.game)
      ? ([table.view.game, table.mode, table.seats.length] as const)
      : null
  })
  /** By value: the table is another one after every move. */
  private readonly key = $derived.by(() => this.asked?.join(' ') ?? '')
  /** What the coach knows of the way of playing; false: the hall does not say. */
  private prospects = $state.raw<Prospects | false | null>(null)
  /** Where somebody's run is to be beaten. */
  private readonly challenged = $derived.by(() => (this.live && this.table ? rivalAt(this.table.id) : null))
  private rival = $state('')
  private now = $state.raw<number | null>(null)

  /** The coach can be asked here; null: nobody knows yet. */
  readonly coached = $derived.by(() => {
    if (this.asked === null) return false
    if (this.prospects === null) return null
    return this.prospects === false || this.prospects.about !== null
  })

  /** To be called once, while a component is being made. */
  follow(): void {
    const [asks, challenges, looks] = [latest(), latest(), latest()]
    $effect(() => {
      const matters = asks()
      this.prospects = null
      if (this.key === '') return
      const [game, mode, seats] = this.key.split(' ') as [string, string, string]
      prospectsOf(game, mode, Number(seats))
        .catch(() => false as const)
        .then((found) => matters() && (this.prospects = found))
    })
    $effect(() => {
      const matters = challenges()
      if (this.challenged)
        shared(this.challenged)
          .then(toBeat, () => '')
          .then((rival) => matters() && (this.rival = rival))
    })
    $effect(() => {
      const matters = looks()
      const [table] = this.position.split(' ')
      if (table)
        worth(table)
          .catch(() => ({ value: null }))
          .then(({ value }) => matters() && (this.now = value))
    })
  }

  private readonly hopes = $derived.by(() =>
    this.prospects && this.table && isAlone(this.table) && this.prospects.about?.unit === 'chance' ? this.prospects : null,
  )
  /** Where a live chance is told: it would be half a hint in a run that counts. */
  private readonly position = $derived.by(() => {
    const { table } = this
    return this.hopes && table?.kind === 'practice' && !this.stage.busy && table.view.result === null ? `${table.id} ${table.view.state}` : ''
  })

  /** The chance to reach what is played for: in practice as it is now, else as it was at the start. */
  readonly chance = $derived.by(() => {
    if (this.hopes?.start == null || !this.table || this.table.view.result !== null) return ''
    if (this.table.kind !== 'practice') return t('played.start', { n: said(this.hopes.start) })
    return this.now === null ? '' : t('played.now', { n: said(this.now) })
  })

  readonly purpose = $derived.by(() => (this.live && this.table ? purpose(this.table) : ''))
  readonly rules = $derived.by(() => (this.live && this.table ? rulesOf(this.table) : ''))
  /** The same for a line above a board that says what is to be reached. */
  private readonly others = $derived.by(() => {
    const { game, options } = this.table?.view ?? {}
    if (!game || !options) return ''
    return Object.keys(changed(game, { ...options })).every((name) => name === infoOf(game).target_option) ? '' : this.rules
  })
  /** What stands behind it in a line. */
  readonly rest = $derived.by(() => [this.rival, this.chance, this.others].flatMap((part) => (part ? [` · ${part}`] : [])).join(''))
}

/** As all chances are said; but nearly certain is not certain. */
const said = (value: number): string => (value < 0.2 ? chance(Math.round(value * OF), OF) : share(value))
