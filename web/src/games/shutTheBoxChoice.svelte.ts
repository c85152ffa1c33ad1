/** Which tiles somebody thinks of turning, and what is on its way. */

import { buzz } from '../lib/haptics'
import { settings } from '../lib/settings.svelte'
import { sound } from '../lib/sounds'
import type { Stage } from '../lib/stage.svelte'
import { ECHO } from '../lib/taps'
import type { ShutTheBoxMove, ShutTheBoxTurnMove, ShutTheBoxView } from '../wire'
import { grouped } from './shutTheBox'

export class Choice {
  /** `told`: what to say of tiles that can be turned. */
  constructor(
    private readonly at: () => Stage,
    private readonly told: (set: ShutTheBoxTurnMove) => string,
  ) {
    $effect.pre(() => {
      void this.view.state // another position, another thought
      this.tiles = []
      this.sent = this.wrong = null
    })
    $effect(() => void (this.stage.considered = this.ready?.move ?? null))
  }

  /** The highest first, as a move names them. */
  tiles = $state.raw<number[]>([])
  /** A tile that has just been tapped in vain. */
  wrong = $state<number | null>(null)
  /** A move on its way: its tiles turn at once, and stay so until the table has moved on. */
  private sent = $state.raw<ShutTheBoxTurnMove | null>(null)

  private readonly stage = $derived.by(() => this.at())
  private readonly view = $derived.by(() => this.stage.view as ShutTheBoxView)
  private readonly moves = $derived.by(() => this.stage.moves as ShutTheBoxMove[])
  readonly groups = $derived.by(() =>
    grouped(
      this.view,
      this.moves.filter((move) => move.kind === 'turn'),
    ),
  )
  readonly sets = $derived.by(() => this.groups.flatMap((group) => group.sets))
  readonly ofDice = $derived.by(() => this.moves.some((move) => move.kind === 'dice'))
  readonly ready = $derived.by(() => this.sets.find((set) => set.move === this.tiles.join('+')) ?? null)
  /** Those that a tap would add to the chosen ones. */
  readonly fitting = $derived.by(() => [
    ...new Set(this.sets.filter((set) => this.tiles.every((tile) => set.tiles.includes(tile))).flatMap((set) => set.tiles)),
  ])
  readonly turning = $derived.by(() => ((this.stage.waiting && !this.stage.pending) || this.stage.busy ? this.sent : null))

  choose = (tiles: number[]): void => {
    this.wrong = null
    this.stage.refusal = null
    this.tiles = [...tiles].sort((one, other) => other - one)
    if (this.ready) this.stage.told = this.told(this.ready)
    sound('select')
    buzz('select')
  }

  /** The tile that was tapped last, and when. */
  private taken = { tile: 0, time: -Infinity }

  tap = (tile: number): void => {
    if (this.tiles.includes(tile)) {
      // a tap that follows at once is an echo of the one that chose it
      if (tile !== this.taken.tile || performance.now() - this.taken.time > ECHO) this.choose(this.tiles.filter((one) => one !== tile))
      return
    }
    if (!this.fitting.includes(tile)) {
      this.wrong = tile
      return this.stage.misTap(this.whyNot(tile))
    }
    this.taken = { tile, time: performance.now() }
    this.choose([...this.tiles, tile])
    if (settings.oneTap && this.ready) this.turn()
  }

  pick = (set: ShutTheBoxTurnMove): void => {
    const again = this.ready === set
    if (!again) this.choose(set.tiles)
    if (again || settings.oneTap) this.turn()
  }

  /** The next set that fits. */
  next(): void {
    const following = this.sets[(this.sets.findIndex((set) => set === this.ready) + 1) % this.sets.length]
    if (following) this.choose(following.tiles)
  }

  clear = (): void => {
    if (this.stage.pending) this.stage.takeBack()
    if (this.stage.waiting || !this.view.your_turn) return this.stage.misTap('not-your-turn')
    if (!this.tiles.length) return this.stage.misTap('tiles-first')
    this.choose([])
  }

  turn = (): void => {
    if (this.stage.waiting) return this.stage.misTap('not-your-turn')
    if (!this.ready) return this.stage.misTap('tiles-first')
    this.sent = this.ready
    return this.stage.play(this.ready.move)
  }

  private whyNot(tile: number): string {
    const { view } = this
    if (!view.your_turn || this.stage.waiting) return 'not-your-turn'
    if (this.ofDice) return 'dice-first'
    if (!view.to_turn.includes(tile)) return view.opening ? 'tile-open' : 'tile-shut'
    return this.tiles.length ? 'tile-not-with' : 'tile-no-set'
  }
}
