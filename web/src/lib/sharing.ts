/** What is told of a finished run to somebody who was not there; of a running daily nothing that tells a die. */

import { gameOf } from '../games'
import type { Report, RunInfo, RunPart, Shared, TableShown, View } from '../wire'
import { infoOf, optionName } from './catalog'
import { changeInWords, comparison, part } from './coach'
import { figureOf, outcome } from './ends'
import { headlineForOthers } from './headlines'
import { rulesOf } from './played.svelte'
import { namesOf, personSeats, YOU } from './people.svelte'
import { date, dayName, known, say, share, t } from './texts.svelte'

/** More parts than these are counted. */
const LONGEST_ROW = 12

export interface Card {
  table: TableShown
  /** Nothing may tell a die: others have them before them. */
  hidden: boolean
  names: string[]
  /** By seat: its dice are slate. */
  theirs: boolean[]
  game: string
  day: string
  /** The rules, and for what it was played. */
  played: string
  headline: string
  /** The same, where the score stands beside it. */
  result: string
  /** A line for each seat, and what else there is to say. */
  summary: string
  parts: RunPart[]
  /** Each part of it in a word. */
  row: string
  better: string
  skill: string
  /** A challenge, as a sentence, where one person played. */
  beat: string
  link: string
}

/** `finished`, `shared`, `report`: what the hall says of the `run`; null: nothing. */
export function cardOf(table: TableShown, run: string, finished: RunInfo | null, shared: Shared | null, report: Report | null): Card {
  const { view, seats } = table
  const { words } = gameOf(view.game)
  const hidden = shared?.hidden ?? table.kind === 'daily'
  const nickname = finished?.nickname ?? ''
  const names = namesOf(seats, nickname || t('boards.nameless'), true)
  const summary = hidden ? scores(table, names) : words.summary(view, names)
  const said = headlineForOthers(view, seats, names, nickname)
  const people = personSeats(seats)
  const own = people.length === 1
  const how = outcome(view, seats)
  // alone, the score may be all that there is to say of it
  const repeated = seats.length === 1 && summary.startsWith(said)
  const parts = (own && shared?.parts[people[0]!]) || []
  return {
    table,
    hidden,
    names,
    theirs: seats.map((name, seat) => (own ? name !== YOU : seat > 0)),
    game: t(`game.${view.game}`),
    day: table.day ? t('daily.of', { day: dayName(table.day) }) : date(finished ? new Date(1000 * finished.finished_at) : new Date()),
    played: playedOf(table),
    headline: repeated ? '' : seats.length > 1 || !nickname || summary.includes(nickname) ? said : t('log.of', { who: nickname, text: said }),
    result:
      how === 'done' && seats.length === 1 ? nickname : how === 'won' && seats.length > 1 ? t('end.won-by', { who: names[people[0]!] ?? '' }) : said,
    summary: repeated && nickname ? t('log.of', { who: nickname, text: summary }) : summary,
    parts,
    row: parts.length && words.parts ? t(words.parts, { row: rowOf(parts, view) }) : rowOf(parts, view),
    better: report && own ? (comparison(report) ?? '') : '',
    skill: report && own ? skillOf(report, hidden) : '',
    beat: own ? challengeOf(how, seats.length === 1) : '',
    // who has not played the day's daily yet is not shown a run of it, but led to it: so its link names the game
    link: `${location.origin}${location.pathname}#/run/${run}${table.kind === 'daily' ? `?daily=${view.game}` : ''}`,
  }
}

/** Words, not little squares: a screen reader reads it as it is. */
export const textOf = (card: Card): string =>
  [titleOf(card), card.played, card.headline, card.summary, card.row, card.better, card.skill, card.beat, card.link].filter(Boolean).join('\n')

export const titleOf = ({ game, day }: Card): string => [t('name'), game, day].join(' · ')

/** Whoever has lost has shown nothing that is to be beaten: there is still something to win. */
function challengeOf(how: ReturnType<typeof outcome>, alone: boolean): string {
  if (how !== 'lost' && how !== 'drawn') return `${t('share.beat')}.`
  return t(alone ? 'share.beat.goal' : 'share.beat.win')
}

/** A part in a word, or by its number where that may be told. */
export function partText({ code, n }: RunPart, view: View): string {
  const exact = `part.${code}.n`
  return n !== null && known(exact) ? t(exact, { n: figureOf(view, n) }) : say(`part.${code}`)
}

function rowOf(parts: RunPart[], view: View): string {
  if (parts.length <= LONGEST_ROW) return parts.map((part) => partText(part, view)).join(', ')
  const codes = [...new Set(parts.map(({ code }) => code))]
  return codes.map((code) => t('share.many', { n: parts.filter((one) => one.code === code).length, part: say(`part.${code}`) })).join(', ')
}

/** Totals stand on the board of the day as well; what they are made of would tell dice. */
const scores = ({ view }: TableShown, names: string[]): string =>
  view.result!.scores.map((n, seat) => t('share.seat', { who: names[seat] ?? '', n: figureOf(view, n) })).join('\n')

/** What was played, and what helped: the rules, and the goal unless they name it. */
function playedOf(table: TableShown): string {
  const { view, kind, unranked } = table
  const [rules, goal, option] = [rulesOf(table), gameOf(view.game).words.goal?.(view) ?? '', infoOf(view.game).target_option]
  const named = rules.includes(goal) || (option !== null && rules.includes(`${optionName(view.game, option)}:`))
  const helped = [unranked.includes('hint') || unranked.includes('coach') ? t('share.hint') : '', unranked.includes('undo') ? t('share.undo') : '']
  return [kind === 'practice' ? t('played.practice') : '', ...helped, rules, named ? '' : goal].filter(Boolean).join(' · ')
}

/** Luck is what single rolls were worth, so it would tell those of a short run; accuracy is about choices. */
function skillOf(report: Report, hidden: boolean): string {
  const accuracy = report.accuracy === null || !report.telling ? [] : [t('share.accuracy', { n: share(report.accuracy) })]
  return [...(hidden ? [] : [t('share.luck', { n: part(report, 'luck', changeInWords) })]), ...accuracy].join(' · ')
}
