/** A room: the same people with one agreement, from the invitation to the last game, each at their own device. */

import type { Claim, FromClient, Guest, Ready, Refused, Resign, RoomShown, Said, Start, TableShown } from '../wire'
import { isEnded, type Line, type Watcher } from './adapter'
import { botName } from './catalog'
import { drawnFor, sealOf, seedFor } from './contribution'
import { numbered } from './people.svelte'
import { ServerSeat } from './server'
import { remember, remembered } from './settings.svelte'
import { Stage } from './stage.svelte'
import { t } from './texts.svelte'
import { HallTime, leftOf, SECOND, type Left } from './times'

export const PHRASES = ['hello', 'good-luck', 'nice-one', 'close-one', 'one-moment', 'thanks'] as const
/** How long a phrase is seen, in milliseconds. */
const HEARD = 6000
const REFUSAL_SHOWN = 5000
/** Somebody who is away for less than this is not missed. */
const MISSED = 5 * SECOND
const TICK = 250
/** While the dice come about. */
const MIXING = ['sealing', 'opening']
/** After so long what was sealed or opened is said again, should the game not have begun. */
const OPENED_AGAIN = 5000
const MUTED = 'dicehall.muted'
const MOST_MUTED = 50

/** The page asks for these by itself: nobody is to hear that another tab was quicker. */
const BY_ITSELF = /^(seal|reveal)-/

class RoomSeat extends ServerSeat {
  constructor(
    id: string,
    private readonly room: Room,
  ) {
    super(`rooms/${id}`, '', room)
  }

  tell(message: FromClient): boolean {
    return this.say(message)
  }

  protected override inRoom(shown: RoomShown): void {
    this.room.told(shown)
  }

  protected override inRoomRefused(refusal: Refused): void {
    this.room.refuse(refusal)
  }
}

export class Room implements Watcher {
  room = $state.raw<RoomShown | null>(null)
  /** The game that is played, or was last. */
  stage = $state.raw<Stage | null>(null)
  connection = $state<Line>('open')
  refusal = $state.raw<Refused | null>(null)
  /** What somebody has just said. */
  said = $state.raw<Said | null>(null)
  /** The hall's time, a few times a second. */
  now = $state(0)
  muted = $state(false)
  readonly #time = new HallTime()
  readonly #seat: RoomSeat
  readonly #ticking: number
  #silence = 0
  #cut = false
  /** What was last sealed or opened over this line. */
  #added = ''
  #opening = 0

  constructor(readonly id: string) {
    this.muted = remembered<string[]>(MUTED, []).includes(id)
    this.#seat = new RoomSeat(id, this)
    this.#ticking = window.setInterval(() => (this.now = this.#time.now), TICK)
  }

  // -- who is there

  readonly you = $derived(this.room?.you ?? null)
  readonly places = $derived<Guest[]>(this.room?.places ?? [])
  /** By place; of a free one empty. */
  readonly names = $derived(
    numbered(
      this.places.map((one, place) => {
        if (one.house !== null) return botName(one.house)
        if (place === this.you) return t('you')
        return one.player === null ? '' : one.name || t('room.guest')
      }),
    ),
  )
  /** By seat. */
  readonly seated = $derived.by(() => {
    const found: string[] = []
    for (const [place, { seat }] of this.places.entries()) if (seat !== null) found[seat] = this.names[place]!
    return found
  })
  readonly state = $derived(this.room?.state ?? '')
  readonly mine = $derived(this.you === null ? null : this.places[this.you]!)
  /** The seat that is ours in the game. */
  readonly seat = $derived(this.mine?.seat ?? null)
  readonly playing = $derived(this.state === 'playing' && this.stage !== null && !this.stage.over)
  /** Everybody plays their own board, on the same dice. */
  readonly duel = $derived(this.room?.same_dice ?? false)
  readonly myTurn = $derived(this.playing && !this.duel && this.seat !== null && this.stage?.view?.to_move === this.seat)
  /** To which people come one after the other, in a week. */
  readonly week = $derived(this.room?.open ?? false)
  /** Of a duel with a time limit, in milliseconds. */
  readonly timeLeft = $derived.by(() => {
    const until = this.room?.until_ms ?? null
    return this.duel && !this.week && this.state === 'playing' && until !== null ? Math.max(0, until - this.now) : null
  })

  placeAt(seat: number): number {
    return this.places.findIndex((one) => one.seat === seat)
  }

  /** Who is to be waited for, and has not come, or not added to the dice. */
  readonly awaited = $derived.by(() => {
    const done = this.room?.contributions ?? []
    return this.places.flatMap((one, place) => {
      if (one.house !== null || place === this.you) return []
      if (this.state === 'between') return one.ready ? [] : [place]
      const own = done.find((each) => each.place === place)
      return (this.state === 'sealing' ? own : own?.opened) ? [] : [place]
    })
  })

  /** How long somebody who is away is waited for still, in seconds, once that is worth a word: 0 when the game can be
   * claimed. Null: nobody waits. */
  readonly away = $derived(
    this.places.map(({ claim_ms, lost_ms, gone }, place) => {
      const waiting = this.duel ? this.state === 'playing' && (this.stage?.over ?? false) : this.playing
      if (claim_ms === null || gone !== null || place === this.you || !waiting) return null
      if (claim_ms <= this.now) return 0
      return lost_ms !== null && this.now >= lost_ms + MISSED ? Math.ceil((claim_ms - this.now) / SECOND) : null
    }),
  )
  /** Against whom the game can be claimed. */
  readonly claimable = $derived(this.you === null || this.mine?.gone ? null : this.#found(this.away.indexOf(0)))

  #found(place: number): number | null {
    return place < 0 ? null : place
  }

  /** Others can claim the game from us until we move: we were away for too long. */
  readonly threatened = $derived.by(() => {
    const due = this.mine?.claim_ms ?? null
    return due !== null && due <= this.now && this.playing && this.mine?.gone == null
  })

  /** What a seat has left to think; null without a clock. */
  left(seat: number): Left | null {
    const times = this.room?.times
    return !times || this.room?.clock === 'none' || times.own_ms === 0 ? null : leftOf(times, seat, this.now)
  }

  /** In how many seconds somebody has to have begun, where that is near; else null. */
  readonly begins = $derived.by(() => {
    const at = this.room?.times?.begin_ms ?? null
    if (at === null || !this.playing) return null
    const left = Math.max(0, Math.ceil((at - this.now) / SECOND))
    return left <= 60 ? left : null
  })

  // -- what people do

  start = (): void => this.#tell({ type: 'start' } satisfies Start)
  ready = (): void => this.#tell({ type: 'ready' } satisfies Ready)
  resign = (): void => this.#tell({ type: 'resign' } satisfies Resign)
  claim = (place: number): void => this.#tell({ type: 'claim', place } satisfies Claim)
  speak = (phrase: string): void => this.#tell({ type: 'say', phrase })

  /** For good. False: there is no line, and nobody has heard of it. */
  leave(): boolean {
    this.#tell({ type: 'leave' })
    return this.refusal === null
  }

  mute(muted: boolean): void {
    this.muted = muted
    const others = remembered<string[]>(MUTED, []).filter((id) => id !== this.id)
    remember(MUTED, muted ? [...others, this.id].slice(-MOST_MUTED) : others)
    if (muted) this.said = null
  }

  /** The page goes elsewhere. */
  part(): void {
    clearInterval(this.#ticking)
    clearTimeout(this.#silence)
    clearTimeout(this.#opening)
    this.#seat.leave()
  }

  #tell(message: FromClient): void {
    this.refusal = null
    if (!this.#seat.tell(message)) this.refuse({ type: 'error', code: 'no-line', message: '', about: 'room' })
  }

  // -- what the hall says

  told(shown: RoomShown): void {
    const before = this.room
    this.#time.heard(shown.now_ms)
    this.now = this.#time.now
    this.room = shown
    // what was said while the line was cut is no news
    if (before !== null && !this.#cut && shown.said !== null && shown.said.number !== before.said?.number) this.#hear(shown.said)
    this.#cut = false
    this.#addToDice(shown)
    clearTimeout(this.#opening)
    if (MIXING.includes(shown.state)) this.#opening = window.setTimeout(() => this.#openAgain(), OPENED_AGAIN)
  }

  #openAgain(): void {
    if (!MIXING.includes(this.room?.state ?? '') || !this.room) return
    this.#addToDice(this.room, true)
    this.#opening = window.setTimeout(() => this.#openAgain(), OPENED_AGAIN)
  }

  #hear(said: Said): void {
    if (this.muted && said.place !== this.you) return
    this.said = said
    clearTimeout(this.#silence)
    this.#silence = window.setTimeout(() => (this.said = null), HEARD)
  }

  /** Seals what this browser adds to the dice, and opens it when all have sealed; `again` should that have been refused,
   * or the game not have begun though all are open. */
  #addToDice({ state, commitment, contributions, you }: RoomShown, again = false): void {
    const seat = this.seat
    if (you === null || seat === null || commitment === null) return
    const own = contributions.find(({ place }) => place === you)
    const asked = `${state} ${commitment}`
    if (asked === this.#added && !again) return // it is on its way
    this.#added = asked
    if (state === 'sealing' && own === undefined) this.#seat.tell({ type: 'seal', seal: sealOf(commitment, seat, drawnFor(commitment)) })
    const all = contributions.every(({ opened }) => opened)
    if (state !== 'opening' || own === undefined || (own.opened && !(again && all))) return
    const seed = seedFor(commitment)
    // what was sealed by another device of ours is opened there
    if (seed !== null && sealOf(commitment, seat, seed) === own.seal) this.#seat.tell({ type: 'reveal', seed })
  }

  refuse(refusal: Refused): void {
    if (BY_ITSELF.test(refusal.code)) return
    this.refusal = refusal
    setTimeout(() => this.refusal === refusal && !isEnded(this.connection) && (this.refusal = null), REFUSAL_SHOWN)
  }

  // -- what the table says

  line(state: Line): void {
    if (state !== 'open') {
      this.#time.forget()
      this.#cut = true
      this.#added = ''
    }
    this.connection = state
    this.stage?.line(state)
  }

  /** Another table is another game. */
  shown(table: TableShown, asked = false): void {
    if (this.stage?.table?.id !== table.id) {
      const stage = new Stage()
      stage.seat = this.#seat
      stage.shown(table, asked)
      this.stage = stage
    } else this.stage.shown(table, asked)
  }

  delayed(): void {
    this.stage?.delayed()
  }

  refused(refusal: Refused): void {
    if (this.stage) this.stage.refused(refusal)
    else this.refuse(refusal)
  }
}
