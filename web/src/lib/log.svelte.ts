/** What has happened at a table, in sentences: one for every step about which there is something to say. */

import { gameOf } from '../games'
import type { Frame, View } from '../wire'
import { happened, isStop, seatOf } from './events'
import { scenesOf, type Scene, type Step } from './film'
import { t } from './texts.svelte'

/** A line of the log: what a step did. */
export interface Told {
  number: number
  /** Who did it; null: nobody. */
  by: number | null
  text: string
  /** Whom it is about; null: nobody. */
  seat: number | null
  /** It ended a turn or a round. */
  stop: boolean
}

export class Log {
  /** The newest last. */
  lines = $state.raw<Told[]>([])
  /** Up to this step, all that was to be told is there. */
  #upTo = 0
  /** The steps that were told, by their numbers. */
  #steps: string[] = []
  /** The position that they led to. */
  #state = ''

  /** `names`: what the seats are called. */
  constructor(private readonly names: () => string[]) {}

  /** The sentence of a step, which is in the log from now on. */
  note(step: Step, scene: Scene): string {
    const lines = this.#lineOf(step, scene)
    this.lines = [...this.lines.filter(({ number }) => number < step.number), ...lines]
    this.#upTo = step.number
    this.#steps[step.number] = step.step
    this.#state = scene.view.state
    return lines[0]?.text ?? ''
  }

  /** After `count` steps: what has happened elsewhere, or before we came; what was taken back has not. True: what came
   * before these steps is missing, or may be wrong. */
  recall(steps: Step[], count: number, view: View): boolean {
    const first = steps[0]?.number ?? 1
    const replaced = this.#replaced(steps, count, view)
    this.#upTo = Math.min(this.#upTo, replaced ? first - 1 : count)
    this.lines = this.lines.filter(({ number }) => number <= this.#upTo)
    const missing = steps.length > 0 && first > this.#upTo + 1
    for (const scene of scenesOf(steps, view)) {
      for (const step of scene.steps) if (step.number > this.#upTo) this.note(step, scene)
    }
    this.#state = view.state
    return missing || replaced
  }

  /** Whether something else was played in the place of steps that were told: they were taken back while nobody told us. */
  #replaced(steps: Step[], count: number, view: View): boolean {
    if (count > 0 && count === this.#upTo && view.state !== this.#state) return true
    return steps.some(({ number, step }) => number <= this.#upTo && step !== this.#steps[number])
  }

  /** The whole `film` of the run, from its start to some step: others may have come meanwhile. */
  begin(film: Frame[]): void {
    const told = film.flatMap((frame, number) => {
      const step = { ...frame, number }
      return number === 0 ? [] : this.#lineOf(step, { steps: [step], view: frame.view! })
    })
    this.lines = [...told, ...this.lines.filter(({ number }) => number >= film.length)]
    for (const [number, { step }] of film.entries()) this.#steps[number] = step
    this.#upTo = Math.max(this.#upTo, film.length - 1)
  }

  /** A step as a line, if there is anything to say; where several play, it says who it is about. */
  #lineOf(step: Step, { steps, view }: Scene): Told[] {
    const names = this.names()
    const seat = step.by ?? seatOf(step.events) ?? view.turn_of
    const who = seat === null || happened(step.events, 'drawn') ? '' : (names[seat] ?? '')
    const tell = (who: string): string => gameOf(view.game).words.tell(step, view, who, steps.slice(steps.indexOf(step) + 1))
    const said = tell(who)
    // a sentence that is the same without a name does not say whose it is
    const text = said && who && names.length > 1 && said === tell('') ? t('log.of', { who, text: said }) : said
    return text ? [{ number: step.number, by: step.by, text, seat, stop: isStop(step.events) }] : []
  }
}
