/** Tables on the server: one socket for each, opened again whenever it breaks. */

import {
  CLOSE_BANNED,
  CLOSE_DAMAGED,
  CLOSE_NO_ACCOUNT,
  CLOSE_NO_TABLE,
  CLOSE_SIGNED_OUT,
  CLOSE_STALE_CLIENT,
  CLOSE_TRY_LATER,
  PROTOCOL,
  type Frame,
  type FromClient,
  type FromServer,
  type QuickRefused,
  type QuickShown,
  type Refused,
  type RoomShown,
} from '../wire'
import type { Line, Seat, Tables, Watcher } from './adapter'
import { abandon, arrive, openTable, tableFilm } from './api'
import { isSpoken } from '../games'
import { learn } from './guests'
import { waiting } from './slow.svelte'

const LONGEST_WAIT = 4000
/** Where there is no use in coming again, and why. */
const ENDS: Partial<Record<number, Line>> = {
  [CLOSE_STALE_CLIENT]: 'stale',
  [CLOSE_NO_TABLE]: 'gone',
  [CLOSE_DAMAGED]: 'damaged',
  [CLOSE_BANNED]: 'banned',
  [CLOSE_SIGNED_OUT]: 'signed-out',
}

/** A move that has not been answered, by its table: who opens the page anew, or comes back, finds it kept. */
const KEPT = 'dicehall.unsent'

function keptAt(table: string): FromClient | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') as { table?: string; asked?: FromClient }
    return kept.table === table ? (kept.asked ?? null) : null
  } catch {
    return null // nothing is kept here
  }
}

function keep(table: string, asked: FromClient | null): void {
  try {
    if (asked !== null) sessionStorage.setItem(KEPT, JSON.stringify({ table, asked }))
    else if (keptAt(table) !== null) sessionStorage.removeItem(KEPT)
  } catch {
    // as long as the page is open it is known without
  }
}

/** Whether a move waits there to be sent. */
export const waitsAt = (table: string): boolean => keptAt(table) !== null

/** Tables that are being given up on this page, each with what there is to be told of its line should that fail: to
 * whoever has asked for it, it is no news that a table is gone. */
const givingUp = new Map<string, () => void>()

export async function giveUp(table: string): Promise<void> {
  givingUp.set(table, () => {})
  try {
    await abandon(table)
  } catch (error) {
    givingUp.get(table)?.()
    givingUp.delete(table)
    throw error
  }
}

export class ServerSeat implements Seat {
  #socket: WebSocket | null = null
  #count = 0
  /** What has been asked and not been answered; said again after a break, which counts once. */
  #asked: FromClient | null
  /** It has gone out. */
  #sent = false
  /** It is said again as soon as somebody looks: nothing happens behind anybody's back. */
  #held = false
  #wait = 250
  #timer = 0
  #left = false

  /** `path`: where its socket is; `table`: which it is, empty where the hall has yet to say so. */
  constructor(
    readonly path: string,
    private table: string,
    readonly watcher: Watcher,
  ) {
    this.#asked = keptAt(table)
    givingUp.delete(table) // whoever comes back hears that it is gone
    addEventListener('online', this.#hurry)
    addEventListener('offline', this.#cut)
    document.addEventListener('visibilitychange', this.#hurry)
    this.#connect()
  }

  play(move: string, then: string | null = null): void {
    this.#ask({ type: 'move', seen: this.#count, move, then })
  }

  undo(): void {
    this.#ask({ type: 'undo', seen: this.#count })
  }

  hint(objective: string | null): void {
    this.#ask({ type: 'hint', seen: this.#count, objective })
  }

  unsent(): boolean {
    return this.#asked !== null && !this.#sent
  }

  forget(): void {
    this.#settle()
  }

  film(): Promise<Frame[]> {
    return tableFilm(this.table)
  }

  leave(): void {
    this.#left = true
    clearTimeout(this.#timer)
    removeEventListener('online', this.#hurry)
    removeEventListener('offline', this.#cut)
    document.removeEventListener('visibilitychange', this.#hurry)
    this.#socket?.close()
  }

  #ask(message: FromClient): void {
    this.#asked = message
    this.#sent = this.say(message)
    if (!this.#sent) this.#keep()
    this.#hurry()
  }

  /** A question to the coach is not kept: nobody would see what it costs. */
  #keep(): void {
    if (this.#asked?.type === 'move' || this.#asked?.type === 'undo') keep(this.table, this.#asked)
  }

  #settle(): void {
    this.#asked = null
    keep(this.table, null)
  }

  /** False: there is no line. */
  protected say(message: FromClient): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }

  #sayAgain(): void {
    if (!this.#held || this.#asked === null || document.visibilityState !== 'visible') return
    this.#held = false
    this.#sent = this.say(this.#asked) || this.#sent
  }

  #connect(): void {
    if (this.#left || this.#socket !== null) return // somebody was quicker
    const address = new URL(`/ws/${this.path}`, location.href)
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = (this.#socket = new WebSocket(address))
    let first = true
    let silent = true
    const open = (): void => {
      this.#wait = 250
      if (silent) this.watcher.line('open')
      silent = false
    }
    const answered = waiting()
    socket.onopen = () => void this.say({ type: 'hello', protocol: PROTOCOL })
    socket.onmessage = async ({ data }) => {
      if (socket !== this.#socket) return
      answered()
      const message = JSON.parse(data as string) as FromServer
      if (message.type === 'table' && !isSpoken(message.view.game)) await learn(message.view.game)
      if (message.type === 'waiting') return this.watcher.delayed()
      if (message.type === 'room') {
        open()
        return this.inRoom(message)
      }
      if (message.type === 'quick') {
        open()
        return this.inQuick(message)
      }
      if (message.type === 'too-soon') return this.tooSoon(message)
      if (message.type === 'error') {
        if (message.about === 'room') return this.inRoomRefused(message)
        if (first) return // the line is closed with the same reason; what was asked is asked again
        this.#settle()
        return this.watcher.refused(message)
      }
      this.#count = message.count
      if (message.id !== this.table) this.#sitAt(message.id)
      const asked = this.#asked
      const unanswered = first && asked !== null && 'seen' in asked && asked.seen === message.count
      this.#held = unanswered
      if (unanswered) this.#sayAgain()
      else this.#settle()
      open()
      first = false
      return this.watcher.shown(message, unanswered)
    }
    socket.onclose = ({ code }) => {
      answered()
      if (socket === this.#socket) this.#closed(code)
    }
  }

  /** The next game is played at another table: what was asked at the last one is over. */
  #sitAt(table: string): void {
    if (this.table !== '') this.#settle()
    this.table = table
    this.#asked ??= keptAt(table)
  }

  /** Where several people play: how it stands with them. */
  protected inRoom(_: RoomShown): void {}

  /** Where somebody is looked for: how it stands with that. */
  protected inQuick(_: QuickShown): void {}
  protected tooSoon(_: QuickRefused): void {}

  /** Something that was asked for there is refused. */
  protected inRoomRefused(_: Refused): void {}

  #closed(code: number): void {
    this.#socket = null
    this.#keep()
    if (this.#left) return
    const end = ENDS[code]
    if (end !== undefined) {
      this.leave() // to come again would change nothing, or make a guest of somebody who has an account
      const tell = (): void => this.watcher.line(end)
      return end === 'gone' && givingUp.has(this.table) ? void givingUp.set(this.table, tell) : tell()
    }
    this.watcher.line(code === CLOSE_TRY_LATER ? 'later' : 'lost')
    this.#timer = window.setTimeout(() => this.#again(code === CLOSE_NO_ACCOUNT), this.#wait)
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT)
  }

  #again(signIn: boolean): void {
    if (signIn)
      void arrive()
        .catch(() => {})
        .then(() => this.#connect())
    else this.#connect()
  }

  #hurry = (): void => {
    this.#sayAgain()
    if (document.visibilityState !== 'visible' || this.#socket !== null) return
    clearTimeout(this.#timer)
    this.#connect()
  }

  /** The device knows that its network is away long before the socket does. */
  #cut = (): void => {
    const socket = this.#socket
    if (socket === null) return
    this.#closed(0)
    socket.close()
  }
}

export const server: Tables = {
  open: openTable,
  sit: (table, watcher) => new ServerSeat(`tables/${table}`, table, watcher),
}
