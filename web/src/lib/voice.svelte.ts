/** What a player of the house says, and when: loaded with its remarks once such a player sits at a table. */

import type { GameEvent, View } from '../wire'
import { happened } from './events'
import type { Language } from './settings.svelte'
import type { Step } from './film'

type Remarks = Partial<Record<string, string[]>>

interface Speaker {
  /** The table: at another one it begins differently. */
  id: string
  player: string
  seat: number
  language: Language
}

/** So many steps it rests after a remark; one about something rare comes sooner. */
const REST = 6
const RARE_REST = 2
const RARE: readonly string[] = ['triple', 'triple-yours', 'shut', 'shut-yours', 'hot', 'hot-yours', 'last']
/** How long a remark stays, in milliseconds: as long as it takes to read. */
const AT_LEAST = 4000
const FOR_A_LETTER = 120

const FILES = import.meta.glob<Remarks>('$texts/*/remarks/*.json', { import: 'default' })

export async function speaking(who: Speaker): Promise<Voice> {
  const ending = `/${who.language}/remarks/${who.player.replace(':', '-')}.json`
  const name = Object.keys(FILES).find((one) => one.endsWith(ending))
  return new Voice(who, name ? await FILES[name]!() : {})
}

export class Voice {
  said = $state.raw('')
  /** What it was said about. */
  occasion = $state.raw('')
  readonly #used = new Set<string>()
  /** The step of the last remark. */
  #spoke = -REST
  #silence: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly who: Speaker,
    private readonly remarks: Remarks,
  ) {}

  hear({ number, events }: Step, view: View): void {
    const occasion = occasionOf(events, this.who.seat) ?? lastOne(events, view, this.who.seat)
    if (occasion === null || number - this.#spoke < (RARE.includes(occasion) ? RARE_REST : REST)) return
    if (happened(events, 'run-over')) return // that has its own word
    if (this.say(occasion, number)) this.#spoke = number
  }

  /** Of a run with so many steps: what was taken back is not talked about any more. */
  back(count: number): void {
    if (count >= this.#spoke) return
    this.said = ''
    this.#spoke = -REST
  }

  /** The last word, which stays. */
  end(how: string | null): void {
    if (how && this.say(how)) clearTimeout(this.#silence)
  }

  /** Something that it has not said in this run yet; false: nothing is left. */
  say(occasion: string, number = 0): boolean {
    const left = (this.remarks[occasion] ?? []).filter((one) => !this.#used.has(one))
    const text = left[scatter(`${this.who.id}${number}`) % left.length]
    if (text === undefined) return false
    this.#used.add(text)
    this.said = text
    this.occasion = occasion
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => (this.said = ''), Math.max(AT_LEAST, FOR_A_LETTER * text.length))
    return true
  }
}

/** A number that looks like any other, the same for the same text. */
const scatter = (text: string): number => [...text].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 65521, 7)

/** What a player on that seat would talk about, by what has happened to it and to the other one. */
function occasionOf(events: readonly GameEvent[], me: number): string | null {
  for (const event of events) {
    const own = 'seat' in event && event.seat === me
    const ours = (name: string): string => (own ? name : `${name}-yours`)
    if (event.code === 'farkle') return ours('farkle')
    if (event.code === 'hot-dice') return ours('hot')
    if (event.code === 'banked' && event.large && !happened(events, 'last-turn')) return ours('bank')
    if (event.code === 'last-turn') return 'last'
    if (event.code === 'broken') return own ? 'broken' : 'broke'
    if (event.code === 'set-made' && !happened(events, 'broken')) return event.times > 2 ? ours('triple') : ours('pair')
    if (event.code === 'box-shut' || event.code === 'all-open') return ours('shut')
    if (event.code === 'stuck' && happened(events, 'round-over')) return ours('stuck')
  }
  return null
}

/** Only one die of its own is left to place; or, when nothing else is to be said, how it stands. */
function lastOne(events: readonly GameEvent[], view: View, me: number): string | null {
  const passed = happened(events, 'turn-passed')
  if (passed?.to !== 1 - me) return null
  const mine = view.seats[me]!
  if ('placements_remaining' in mine && mine.placements_remaining === 1) return 'last'
  return passed.leader === null ? null : passed.leader === me ? 'lead' : 'behind'
}
