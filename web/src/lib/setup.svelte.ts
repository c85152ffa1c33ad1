/** What is chosen on a game's page before one plays, and what the hall says of it. */

import { gameOf } from '../games'
import type { OptionValue, Playable, Target } from '../wire'
import * as api from './api'
import { changed, infoOf, modeName, presetOf, usual, type Chosen } from './catalog'
import { latest } from './latest'
import { refusalText } from './refusals'
import { remember, remembered } from './settings.svelte'
import { say } from './texts.svelte'

interface Choices {
  options: Chosen
  seats: string[]
  practice: boolean
  /** The options that the player has set, one by one: what fits the others does not take their place. */
  own: string[]
}

/** How long, in milliseconds, what is below the targets waits for them. */
const PATIENCE = 500
const HOPELESS: Playable['doubt'][] = ['target-too-high', 'goal-too-low']

export class Setup {
  readonly game
  readonly info
  /** The option that sets a result to chase, where one plays alone. */
  readonly aim
  choices: Choices = $state({ options: {}, seats: [], practice: false, own: [] })
  seed = $state('')
  /** What the hall says of these choices; null where it does not. */
  #told = $state.raw<Playable | null>(null)
  /** Why nobody can play so; nothing where they can, or where the hall does not say. */
  readonly refused = $derived(this.#told && this.#told.code !== null ? refusalText({ code: this.#told.code, message: this.#told.message }) : '')
  /** Nobody can win so. */
  readonly hopeless = $derived(HOPELESS.includes(this.#told?.doubt ?? null))
  /** What would make sense instead. */
  readonly better = $derived(this.#told?.option && this.#told.instead !== null ? ([this.#told.option, this.#told.instead] as const) : null)
  /** What cannot be reached so, or cannot be missed. */
  readonly doubt = $derived(this.#told?.doubt ? say(`doubt.${this.#told.doubt}`, { n: this.#told.limit ?? 0 }) : '')
  /** Results to chase that fit these options. */
  targets = $state.raw<Target[]>([])
  /** They were asked for, and no answer came. */
  away = $state(false)
  /** Whether they were there in time to stand above the other choices; null: not known yet. What comes late moves nothing. */
  inTime: boolean | null = $state(null)
  /** More by one: the hall is asked again. */
  asked = $state(0)

  /** Made while a screen is: the hall is asked about every choice as long as that screen is there. */
  constructor(id: string) {
    this.game = gameOf(id)
    this.info = infoOf(this.game.id)
    this.aim = this.info.target_option
    const key = `dicehall.game.${this.game.id}`
    Object.assign(this.choices, { seats: this.info.usual_seats, ...remembered<Partial<Choices>>(key, {}) })
    // Whoever goes to read the rules finds it as it was.
    $effect(() => remember(key, this.choices))
    if (this.aim === null) this.inTime = true
    else setTimeout(() => (this.inTime ??= false), PATIENCE)
    // What is said of the last choice stays until the hall has answered about this one.
    const ask = latest()
    $effect(() => {
      const [mode, seats] = [modeName(this.choices.options), this.choices.seats.length]
      void this.asked
      void this.judge(mode, seats, ask())
    })
  }

  /** All of them, chosen or usual. */
  get options(): Chosen {
    return { ...usual(this.game.id), ...this.choices.options }
  }

  /** Those that differ from the usual and decide anything, as far as the hall has said so. */
  get inForce(): [string, OptionValue][] {
    return Object.entries(this.choices.options).filter(([name]) => !this.#told?.idle.includes(name))
  }

  /** By the player: what is as usual may change with the others again. */
  choose(name: string, value: OptionValue): void {
    const others = this.choices.own.filter((one) => one !== name)
    this.choices.own = value === usual(this.game.id)[name] ? others : [...others, name]
    this.set(name, value)
  }

  /** All of them at once. */
  chooseAll(options: Chosen): void {
    this.choices.own = []
    this.choices.options = changed(this.game.id, options)
  }

  private set(name: string, value: OptionValue): void {
    this.choices.options = changed(this.game.id, { ...this.choices.options, [name]: value })
  }

  /** Where a table with these choices is opened. */
  get address(): string {
    const { options, seats, practice } = this.choices
    const query = new URLSearchParams({ n: String(Date.now()), options: JSON.stringify(options) })
    if (this.info.seats.to > 1) query.set('seats', seats.join(','))
    query.set('kind', practice ? 'practice' : 'ranked')
    if (practice && this.seed.trim()) query.set('seed', this.seed.trim())
    return `play/${this.game.id}?${query}`
  }

  private async judge(mode: string, seats: number, matters: () => boolean): Promise<void> {
    const told = await api.playable(this.game.id, mode, seats).catch(() => null)
    if (!matters()) return
    this.#told = told
    const playable = told === null || told.code === null
    const none = this.aim === null || seats > 1 || !playable
    const found = none ? [] : await api.targets(this.game.id, mode).catch(() => null)
    if (!matters()) return
    this.away = found === null
    this.targets = found ?? []
    this.inTime ??= true
    if (playable && found) this.fit(found)
    if (this.better && !this.isGiven(this.better[0])) this.set(...this.better)
  }

  /** The player has set it, or it belongs to a preset. */
  private isGiven(name: string): boolean {
    return this.choices.own.includes(name) || presetOf(this.game.id, this.choices.options) !== null
  }

  /** The rules' own target stays where it fits; another way of playing gets one that fits it, unless the player has chosen. */
  private fit(all: Target[]): void {
    if (this.aim === null || this.isGiven(this.aim)) return
    const own = usual(this.game.id)[this.aim]!
    const now = this.options[this.aim]
    const ownFits = all.length === 0 || all.some(({ name, target }) => name !== 'own' && target === own)
    const fitting = ownFits ? own : (all.find(({ name }) => name === 'even') ?? all[0]!).target
    if (fitting !== now) this.set(this.aim, fitting)
  }
}
