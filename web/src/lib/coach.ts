/** What the coach says, in words and figures. */

import { gameOf } from '../games'
import { number, percent, share, t, say, tenths, type Key } from './texts.svelte'
import type { AdvisedMove, Moment, Objective, Reason, Report, View } from '../wire'

/** What would be 0.00% is said in runs: 1 in 120,000. */
const RARE = 0.0005
/** Digits after the point, where values that are nearly equal stand side by side. */
const MOST_DIGITS = 3

/** What a value counts: that of an objective; or of a report, where chances that are added up count rounds. */
type About = Pick<Objective, 'unit'>

export const isChance = ({ unit }: About): boolean => unit === 'chance'

/** What is played for: `target:90` is 90 points or more. */
export const goal = ({ name, limit }: Objective): string => say(`objective.${name}`, { n: limit ?? 0 })

/** What a whole run is played for: the points of a turn in each of its turns. */
export const wholeGoal = (objective: Objective): string => (objective.scope === 'turn' ? t('objective.turn.each') : goal(objective))

/** What the values count. */
export const unit = ({ unit }: About): string => t(`unit.${unit}`)

/** A value with so many digits, whatever it is. */
export const written = (about: About, value: number, digits?: number): string =>
  isChance(about) ? `${tenths(100 * value, digits)}${t('percent')}` : tenths(value, digits)

const isRare = (about: About, value: number): boolean => isChance(about) && value > 0 && value < RARE

/** A value as a player reads it: 12.5%, or 65.5. */
export function figure(about: About, value: number, signed = false, digits?: number): string {
  if (!signed && isRare(about, value)) return t('odds.one-in', { n: Number((1 / value).toPrecision(2)) })
  return (signed && value > 0 ? '+' : '') + written(about, value, digits)
}

/** The score of a run, with its unit: 52 points. */
const counted = (objective: Objective, score: number): string => `${number(score)} ${unit(objective)}`

/** What is given away: a loss too small for its digits is still one. */
export function loss(about: About, value: number, digits?: number): string {
  const least = 10 ** -(digits ?? 2) / (isChance(about) ? 100 : 1)
  if (value > 0 && value < least / 2) return t('coach.less-than', { n: written(about, least, digits ?? 2) })
  return written(about, value, digits)
}

/** What is given away, with its unit: 15.5 points; of a chance, 11.1 percentage points. */
export const amount = (about: About, value: number): string =>
  isChance(about) ? t('amount.chance.lost', { n: loss({ unit: 'points' }, 100 * value) }) : t(`amount.${about.unit}`, { n: loss(about, value) })

/** What was good for the result, or bad: where less is better "3 fewer" needs no thought, and a minus would. */
export function change(report: Report, good: number, digits?: number): string {
  if (!report.about.lower_is_better || good === 0) return figure(report, good, true, digits)
  return t(good > 0 ? 'analysis.fewer' : 'analysis.more', { n: loss(report, Math.abs(good), digits) })
}

/** The place of the result among perfect play; where that is won or lost, of the score. */
export function comparison({ percentile, compared, objective }: Report): string | null {
  if (percentile === null || !compared) return null
  const { about, result } = compared
  const n = share(percentile)
  if (about.text === objective) return t('analysis.percentile', { n })
  return t('analysis.percentile.by', { score: counted(about, result), n, goal: goal(about) })
}

/** Why a move is better than another. Shares that would look equal are told more exactly. */
export function reasonText({ code, numbers, shares }: Reason): string {
  const told = Object.entries(shares)
  const alike = new Set(told.map(([, part]) => percent(part))).size < told.length
  const written = told.map(([name, part]) => [name, alike ? `${tenths(100 * part, 1)}${t('percent')}` : share(part)])
  return say(`reason.${code}`, { ...numbers, ...(Object.fromEntries(written) as Record<string, string>) })
}

/** How many digits after the point it takes to tell these values apart; large ones need fewer. */
export function digitsFor(about: About, values: number[]): number {
  const different = new Set(values.filter((value) => !isRare(about, value)))
  for (let digits = Math.max(...different) < 100 ? 2 : 1; digits < MOST_DIGITS; digits++) {
    if (new Set([...different].map((value) => written(about, value, digits))).size === different.size) return digits
  }
  return MOST_DIGITS
}

/** Moves of equal value count as one: the first of them stands for all. */
interface Rank extends AdvisedMove {
  equals: number
}

export function ranks(moves: AdvisedMove[]): Rank[] {
  const found: Rank[] = []
  for (const move of moves) {
    const last = found.at(-1)
    if (last && last.value === move.value) last.equals++
    else found.push({ ...move, equals: 0 })
  }
  return found
}

/** Marks of moves that are not good enough, with the shapes that stand for them. */
export const SHAPES: Record<string, string> = { slip: '●', mistake: '■', blunder: '▲' }

export const markName = (mark: string): string => t(`mark.${mark}` as Key)

/** Whether the coach would have done something else, that is worth a word. */
export const isWrong = ({ mark, best }: Moment): boolean => best !== null && mark in SHAPES

/** What the coach thinks of a step: what the run was worth after it, and whose doing that was. `before` is the position
 * that it was made in; `who` is looked at, null for the player of this device. */
export function judgement(report: Report, moment: Moment, before: View | null, who: string | null): string {
  const { actor, value, luck, lost, best, mark, why } = moment
  // A name stands before a colon: there it needs no case, which "a guest" would have in German.
  const of = who === null ? '' : `${who}: `
  const n = isChance(report) ? figure(report, value) : t(`amount.${report.unit}`, { n: figure(report, value) })
  const worth = of + t(`analysis.${isChance(report) ? 'chance' : 'worth'}${of ? '' : '.you'}`, { n })
  if (best === null) return `${worth}, ${t('analysis.lucky', { n: figure(report, luck, true) })}`
  if (mark === '') return `${worth}. ${t('analysis.nothing')}`
  if (mark === 'best' || mark === 'good') return `${worth}. ${t(`analysis.${mark}`)}`
  const told = { move: gameOf(report.game).words.name(best, before), n: amount(report, lost) }
  const said = of + (actor === report.seat ? `${SHAPES[mark]} ${t('analysis.better', told)}` : t('analysis.gift', told))
  return why ? `${said} ${reasonText(why)}` : said
}
