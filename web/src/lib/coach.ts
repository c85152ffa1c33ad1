/** What the coach says, in words and figures. */

import { gameOf } from '../games'
import { number, percent, share, t, say, tenths, type Key } from './texts.svelte'
import type { AdvisedMove, Moment, Objective, Reason, Report, View } from '../wire'

/** What would be 0.00% is said in runs: 1 in 120,000. */
const RARE = 0.0005
/** Of perfect runs: fewer that end as this one go unsaid. */
const MANY = 0.05

/** Digits after the point, where values that are nearly equal stand side by side. */
const MOST_DIGITS = 3

/** Percentage points are points: a value with no sign of its own. */
const PERCENT = { unit: 'points' } as const

/** What a value counts: that of an objective; or of a report, where chances that are added up count rounds. */
type About = Pick<Objective, 'unit'>

export const isChance = ({ unit }: About): boolean => unit === 'chance'

/** What is played for: `target:90` is 90 points or more. */
export const goal = ({ name, limit }: Objective): string => say(`objective.${name}`, { n: limit ?? 0 })

/** The same beside what is played for in all rounds together. */
export const within = (objective: Objective): string => {
  const named = goal(objective)
  if (objective.scope === 'turn' && objective.playable) return t('objective.turn.each')
  return objective.scope === 'round' && objective.limit === null ? t('objective.in-round', { goal: named }) : named
}

/** What a whole run is played for: the points of a turn in each of its turns. */
export const wholeGoal = (objective: Objective): string => (objective.scope === 'turn' ? t('objective.turn.each') : goal(objective))

/** How far to trust what the coach says. */
export const sure = ({ certainty, game }: Objective): string => {
  if (certainty === 'judged') return t(`coach.judged.${game}` as Key)
  return game === 'knucklebones' && certainty === 'close' ? t('coach.close.knucklebones') : t(`coach.${certainty}`)
}

/** The same of a whole run of so many seats: where others want to win, too, the best of each turn is not all there is. */
export function sureOfRun(objective: Objective, seats: number): string {
  const { certainty, scope } = objective
  return certainty === 'exact' && (scope === 'turn' || (scope === 'round' && seats > 1)) ? t(`coach.exact.${scope}`) : sure(objective)
}

/** What a run's figures beside others' are: percentage points, or what was played for and what they count. */
export const figuresOf = (report: Report): string =>
  briefly(report) || `${t('analysis.played-for', { goal: wholeGoal(report.about) })}. ${t('analysis.unit', { unit: unit(report) })}.`

/** What the values count. */
export const unit = ({ unit }: About): string => t(`unit.${unit}`)

/** A value with so many digits, whatever it is. A chance is not rounded to 0% or 100%, which are certain. */
export function written(about: About, value: number, digits?: number): string {
  if (!isChance(about)) return tenths(value, digits)
  const least = 10 ** -(digits ?? (value < 0.5 ? 2 : 1))
  const sure = value <= 0 || value >= 1
  return `${tenths(sure ? 100 * value : Math.min(100 - least, Math.max(least, 100 * value)), digits)}${t('percent')}`
}

const isRare = (about: About, value: number): boolean => isChance(about) && value > 0 && value < RARE

/** A value as a player reads it: 12.5%, or 65.5. */
export function figure(about: About, value: number, signed = false, digits?: number): string {
  if (!signed && isRare(about, value)) return t('odds.one-in', { n: Number((1 / value).toPrecision(2)) })
  const said = written(about, value, digits)
  return (signed && value > 0 && /[1-9]/.test(said) ? '+' : '') + said // what is nothing has no sign
}

/** The score of a run, with its unit: 52 points. */
const counted = (objective: Objective, score: number): string => `${number(score)} ${unit(objective)}`

/** What is given away: a loss too small for its digits is still one. */
function loss(about: About, value: number, digits?: number): string {
  const least = 10 ** -(digits ?? 2) / (isChance(about) ? 100 : 1)
  if (value > 0 && value < least / 2) return t('coach.less-than', { n: written(about, least, digits ?? 2) })
  return written(about, value, digits)
}

/** What is given away, with its unit: 15.5 points; of a chance, 11.1 percentage points. */
export const amount = (about: About, value: number, digits?: number): string =>
  isChance(about) ? t('amount.chance.lost', { n: loss(PERCENT, 100 * value, digits) }) : t(`amount.${about.unit}`, { n: loss(about, value, digits) })

/** The same where there is little room: 11.1 pp, and else without its unit. */
const brief = (about: About, value: number, digits?: number): string =>
  isChance(about) ? t('amount.chance.brief', { n: loss(PERCENT, 100 * value, digits) }) : loss(about, value, digits)

/** What short percentage points are; nothing, where there are none. */
export const briefly = (about: About): string => (isChance(about) ? t('amount.chance.brief.about') : '')

/** How much better or worse, with its sign: +2.5; of a chance, how many percentage points. */
const signed = (about: About, value: number, digits?: number): string =>
  isChance(about) ? figure(PERCENT, 100 * value, true, digits) : figure(about, value, true, digits)

/** The same with what it counts, where it is a chance: +11.1 pp; or with `key` in whole words. */
export function difference(about: About, value: number, digits?: number, key: Key = 'amount.chance.brief'): string {
  const n = signed(about, value, digits)
  return isChance(about) ? t(key, { n }) : n
}

/** Where less is better. */
const fewer = (good: number, n: string): string => t(good > 0 ? 'analysis.fewer' : 'analysis.more', { n })

/** What was good for the result, or bad. Where less is better it is told in words, since a sign would need thought. With
 * `bare`, what it counts is told elsewhere. */
export function change(report: Report, good: number, digits?: number, bare = false): string {
  if (!report.about.lower_is_better || good === 0) return (bare ? signed : difference)(report, good, digits)
  return fewer(good, loss(report, Math.abs(good), digits))
}

/** The same in a sentence, with its unit. */
export function changeInWords(report: Report, good: number, digits?: number): string {
  if (!report.about.lower_is_better || good === 0) return difference(report, good, digits, 'amount.chance.lost')
  return fewer(good, amount(report, Math.abs(good), digits))
}

/** Perfect play's chance was so small that its digits would be nothing: it is told in runs, and the parts one by one. */
const isTiny = (report: Report): boolean => isChance(report) && report.start > 0 && report.start < 10 ** -report.shown.places / 200

/** What perfect play expected, as it stands above the parts. */
export const expected = (report: Report): string =>
  isTiny(report) ? figure(report, report.start) : written(report, report.shown.start, report.shown.places)

/** What the dice gave, what was given away: for the result good or bad. With `bare`, what it counts is told elsewhere. */
export function part(report: Report, name: 'luck' | 'gifts' | 'lost' | 'corrected', told = change, bare = false): string {
  const { places } = report.shown
  const sign = name === 'lost' ? -1 : 1
  if (!isTiny(report)) return told(report, sign * report.shown[name], places, bare)
  const small = report[name] !== 0 && Math.abs(report[name]) < 10 ** -places / 200
  return small ? t('analysis.hardly') : told(report, sign * report[name], places, bare)
}

/** The place of the result among perfect play; where that is won or lost, of the score. How many perfect runs do
 * equally well is said where they are many. */
export function comparison({ compared, objective }: Report): string | null {
  if (!compared) return null
  const { about, result, worse, equal } = compared
  const n = share(worse)
  const said =
    about.text === objective
      ? t('analysis.percentile', { n })
      : t('analysis.percentile.alone', { score: counted(about, result), n, unit: unit(about) })
  return equal < MANY ? said : `${said}; ${t('analysis.as-well', { n: share(equal) })}`
}

/** Why a move is better than another. Shares that would look equal are told more exactly. */
export function reasonText({ code, numbers, shares }: Reason): string {
  const told = Object.entries(shares)
  const alike = new Set(told.map(([, part]) => percent(part))).size < told.length
  const written = told.map(([name, part]) => [name, alike ? `${tenths(100 * part, 1)}${t('percent')}` : share(part)])
  return say(`reason.${code}`, { ...numbers, ...(Object.fromEntries(written) as Record<string, string>) })
}

/** What a move gives away beside the best one: as both are told, or where they look equal, what it is. */
export function behind(about: About, { value, loss }: AdvisedMove, best: number, digits: number): string {
  const [one, other] = [best, value].map((each) => Number((isChance(about) ? 100 * each : each).toFixed(digits)))
  const told = Math.abs(one! - other!) / (isChance(about) ? 100 : 1)
  return brief(about, told === 0 || isRare(about, value) || isRare(about, best) ? loss : told, digits)
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
  /** The others. */
  equals: AdvisedMove[]
}

export function ranks(moves: AdvisedMove[]): Rank[] {
  const found: Rank[] = []
  for (const move of moves) {
    const last = found.at(-1)
    if (last && last.value === move.value) last.equals.push(move)
    else found.push({ ...move, equals: [] })
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
  if (best === null) return `${worth}, ${t('analysis.lucky', { n: changeInWords(report, luck) })}`
  if (mark === '') return `${worth}. ${t('analysis.nothing')}`
  if (mark === 'best' || mark === 'good') return `${worth}. ${t(`analysis.${mark}`)}`
  const told = { move: gameOf(report.game).words.name(best, before), n: isChance(report) ? brief(report, lost) : amount(report, lost) }
  const judged = actor === report.seat ? `${SHAPES[mark]} ${t('analysis.better', told)}` : t('analysis.gift', told)
  const said = `${worth}. ${judged}`
  return why ? `${said} ${reasonText(why)}` : said
}
