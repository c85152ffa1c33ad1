/** How a run ended, in words: each kind of end has a sentence of its own, which is true of it. */

import type { LeaderboardEntry, MyBest, RunInfo, Shared, View } from '../wire'
import { modeText } from './catalog'
import { figureOf, outcome } from './ends'
import { personSeats } from './people.svelte'
import { resultOf } from './rivals'
import { list, say, t, versus, type Key } from './texts.svelte'

/** The sentence for the player of this device; `names` are those of the seats. */
export function headline(view: View, seats: readonly string[], names: readonly string[]): string {
  const how = outcome(view, seats)
  if (how === 'drawn') return t('end.draw')
  if (seats.length === 1) {
    if (how === 'done') return say(`aim.${view.aim.unit}`, { n: figureOf(view, view.result?.scores[0] ?? 0) })
    return t(how === 'won' ? 'end.target' : 'end.missed')
  }
  const departed = departure(view, seats, names)
  if (departed) return departed
  if (how === 'won') return t('end.win')
  const winners = view.result?.winners ?? []
  if (how === 'shared')
    return t('end.shared-with', {
      who: named(
        winners.filter((seat) => seat !== personSeats(seats)[0]),
        names,
      ),
    })
  return t(winners.length > 1 ? 'end.shared' : 'end.won-by', { who: named(winners, names) })
}

/** How it ended when somebody had departed, and nobody had to play on; else nothing. */
function departure({ result, departed }: View, seats: readonly string[], names: readonly string[]): string {
  const why = result?.why ?? ''
  if (why === 'ended') return t('end.ended')
  if (why !== 'resigned' && why !== 'time' && why !== 'left') return ''
  const [mine, ...more] = personSeats(seats)
  const own = more.length ? undefined : mine
  const winner = result?.winners[0] ?? 0
  const who = names[winner] ?? ''
  const gone = departed.flatMap((one, seat) => (one ? [seat] : []))
  if (gone.length > 1) return winner === own ? t('end.alone.win') : t('end.alone', { who })
  if (gone[0] === own) return t(`end.${why}.own`, { who })
  return t(winner === own ? `end.${why}.win` : `end.${why}`, { who, other: names[gone[0]!] ?? '' })
}

const named = (seats: readonly number[], names: readonly string[]): string => list(seats.map((seat) => names[seat] ?? ''))

/** The sentence for those who were not there: it speaks to nobody. `nickname`: the player's, also among the `names` of the
 * seats; empty for a guest without one. */
export function headlineForOthers(view: View, seats: readonly string[], names: readonly string[], nickname: string): string {
  const how = outcome(view, seats)
  if (how === 'shared') return t('end.shared', { who: named(view.result!.winners, names) })
  if (how !== 'won') return headline(view, seats, names)
  if (seats.length === 1) return t('share.reached')
  if (nickname) return t('end.won-by', { who: nickname })
  const { scores } = view.result!
  const own = personSeats(seats)[0] ?? 0
  return t('share.won', { scores: versus([scores[own]!, ...scores.filter((_, seat) => seat !== own)]) })
}

/** A run against others, as two texts: won, lost or drawn (nothing where several people sat here), and all scores. */
export const ended = ({ outcome, scores }: Pick<LeaderboardEntry, 'outcome' | 'scores'>): [string, string] | null =>
  scores && scores.length > 1 ? [outcome ? t(`runs.${outcome}`) : '', versus(scores)] : null

/** Letters of a variant's name for which a card in the hall has room. */
const BRIEF = 30

/** What a card in the hall says of one's own play. Against somebody it is how the last game ended that counts: a lost one
 * has points, too. Else it is the best of the way that was played last, by its name; nothing, where that is long. */
export function bestText({ game, mode, aim, score, scores, outcome }: MyBest): string {
  if (outcome && scores.length === 2) return t(`hall.last.${outcome}` as Key, { scores: versus(scores) })
  const best = t('hall.best', { score: say(`aim.${aim}`, { n: score }) })
  const named = mode === 'standard' ? '' : modeText(game, mode)
  return named.length > BRIEF ? '' : [best, named].filter(Boolean).join(' · ')
}

/** Of a run alone, whether it met its target; empty where there was none to miss. */
export function aimed({ scores, aim, record }: RunInfo): string {
  const { why, winners } = record.result as { why: string; winners: number[] }
  if (scores.length > 1 || aim === 'turns') return ''
  if (why.endsWith('-missed')) return t('runs.missed')
  return winners.length ? t(why === 'shut' ? 'why.shut' : 'runs.met') : ''
}

/** What has become of a run that was to be beaten. */
export function compared(run: Shared): string {
  if (!run.compared) return ''
  const about = { score: resultOf(run), who: run.nickname || t('boards.nameless') }
  return t(run.compared === 'beaten' && !run.nickname ? 'beat.beaten.nameless' : `beat.${run.compared}`, about)
}
