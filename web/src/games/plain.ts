import { list, t } from '../lib/texts.svelte'
import type { PlainView, View } from '../wire'
import type { Words } from '.'

type Parts = PlainView['parts']

/** What the state says of itself, in its own words; what is false is not said. */
export const partsText = (parts: Parts): string =>
  parts.flatMap(({ name, value }) => (value === false ? [] : [value === true ? name : `${name} ${value}`])).join(', ')

/** The words for a game that brought none: its moves by their own names. `about` are its rules, as it tells them. */
export const plainWords = (about: string): Words => ({
  ticks: () => 8,
  playerRolls: () => false,
  tell({ by, step }, _, who) {
    return by === null ? t('plain.rolled', { dice: list([...step.slice(1)]) }) : `${who}: ${step}`
  },
  name: (move) => move,
  cues: ({ by }) => (by === null ? [] : ['place']),
  dwell: () => 500,
  summary: (view: View, names) => (view.result?.scores ?? []).map((score, seat) => `${names[seat]}: ${score}`).join('\n'),
  lessons: [],
  about,
})
