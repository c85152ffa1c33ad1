/** Questions to the server that are not play. */

import type {
  BankOrRoll,
  DailyBenchmark,
  DeviceInfo,
  FoundRoom,
  Frame,
  GameInfo,
  GameNow,
  Lab,
  Leaderboard,
  LeadWorths,
  Lobby,
  Me,
  ModeInfo,
  OpenRoom,
  OpenTable,
  Opponent,
  Pace,
  Period,
  Playable,
  PlayerPage,
  Problem,
  Prospects,
  Puzzle,
  Puzzles,
  RatingBoard,
  Report,
  RoomInfo,
  RunInfo,
  RunPage,
  Scores,
  Shared,
  Statistics,
  TableInfo,
  Target,
  TileWorths,
  TransferCode,
  VariantLuck,
  VariantScores,
  VariantStatistics,
  Verdict,
  Worth,
} from '../wire'
import { waiting } from './slow.svelte'

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** A game as the hall describes it to everybody. */
export type Described = GameInfo & { title: string; about: string }

/** No answer at all: the network is away, or the server. */
const AWAY = 0

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answered = waiting()
  try {
    return await request(method, path, body)
  } finally {
    answered()
  }
}

/** What has to be worked out first: the screens say so themselves, and nobody wonders that it takes a while. */
const ponder = <T>(path: string): Promise<T> => request('GET', path)

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response
  try {
    answer = await fetch(`/api/${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  } catch {
    throw new Refusal(AWAY, 'away', 'no answer')
  }
  if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T
  const problem = (await answer.json().catch(() => ({ code: 'http', message: answer.statusText }))) as Problem
  throw new Refusal(answer.status, problem.code, problem.message)
}

let arrived: Promise<Me> | null = null

/** A guest account is made when something first needs one. */
async function asMe<T>(question: () => Promise<T>): Promise<T> {
  arrived ??= arrive()
  try {
    await arrived
    return await question()
  } catch (error) {
    startOver() // whoever asks again is looked up again
    throw error
  }
}

/** Before the next question that needs an account it is asked again whose this device is; a new guest's, if nobody's. */
export const startOver = (): void => void (arrived = null)

const query = (values: Record<string, string | number | null | undefined>): string =>
  new URLSearchParams(Object.entries(values).flatMap(([k, v]) => (v == null ? [] : [[k, String(v)]]))).toString()

export const arrive = () => ask<Me>('POST', 'me')
/** For whoever asks for nothing but a socket. */
export const comeIn = () => asMe(() => Promise.resolve())
export const games = () => ask<Described[]>('GET', 'games')
export const lobby = () => ask<Lobby>('GET', 'lobby')
export const playable = (game: string, mode: string, seats: number) => ask<Playable>('GET', `games/${game}/playable?${query({ mode, seats })}`)

export const targets = (game: string, mode: string) => ponder<Target[]>(`games/${game}/targets?${query({ mode })}`)
export const openTable = (asked: Partial<OpenTable> & { game: string }) => asMe(() => ask<TableInfo>('POST', 'tables', asked))
export const worth = (table: string) => ponder<Worth>(`tables/${table}/worth`)
export const tableFilm = (table: string) => ask<Frame[]>('GET', `tables/${table}/film`)
export const abandon = (table: string) => ask<void>('DELETE', `tables/${table}`)
export const openRoom = (asked: Partial<OpenRoom> & { game: string }) => asMe(() => ask<RoomInfo>('POST', 'rooms', asked))
export const joinRoom = (room: string) => asMe(() => ask<RoomInfo>('POST', `rooms/${room}/join`))
export const findRoom = (code: string) => ask<FoundRoom>('POST', 'rooms/find', { code })
export const myRooms = () => ask<RoomInfo[]>('GET', 'rooms')
/** Games of others that go on now. */
export const gamesNow = () => ask<GameNow[]>('GET', 'rooms/now')
export const run = (id: string) => ask<RunInfo>('GET', `runs/${id}`)
/** A run as everybody may see it; `by`: another run, and whether it has beaten this one. */
export const shared = (id: string, by: string | null = null) => ask<Shared>('GET', `runs/${id}/share?${query({ by })}`)
/** How a run of the daily stood when it had used as many dice as mine has at that table. */
export const pace = (id: string, table: string) => ask<Pace>('GET', `runs/${id}/pace?${query({ table })}`)
export const film = (id: string) => ask<Frame[]>('GET', `runs/${id}/film`)
/** Without a seat, the player's own; nothing, where the coach does not know the variant. */
export const report = (id: string, seat: number | null = null) => ponder<Report | null>(`runs/${id}/report?${query({ seat })}`)
export const puzzles = () => ask<Puzzles[]>('GET', 'puzzles')
export const puzzle = (game: string, number: number) => ponder<Puzzle>(`puzzles/${game}/${number}`)
export const lab = (game: string, mode: string) => ponder<Lab>(`coach/lab?${query({ game, mode })}`)
export const opponent = (game: string, mode: string, seats: number) => ponder<Opponent>(`coach/opponent?${query({ game, mode, seats })}`)
export const prospects = (game: string, mode: string, seats: number) => ponder<Prospects>(`coach/prospects?${query({ game, mode, seats })}`)
export const chart = (game: string, mode: string) =>
  ponder<BankOrRoll | TileWorths | Scores | LeadWorths | null>(`coach/chart?${query({ game, mode })}`)
export const benchmark = (day: string, game: string) => ponder<DailyBenchmark>(`daily/${day}/${game}/benchmark`)
export const proof = (id: string) => ponder<Verdict>(`runs/${id}/proof`)
export const history = (cursor: string | null) => asMe(() => ask<RunPage>('GET', `runs?${query({ cursor })}`))
export const statistics = (kind: Statistics['kind']) => asMe(() => ponder<Statistics>(`me/statistics?${query({ kind })}`))
type Variant = Pick<VariantStatistics, 'game' | 'variant' | 'seats'>
const ofVariant = ({ game, variant, seats }: Variant, kind: Statistics['kind']): string => query({ game, variant, seats, kind })
export const ownScores = (one: Variant, kind: Statistics['kind']) => ponder<VariantScores>(`me/statistics/scores?${ofVariant(one, kind)}`)
export const ownLuck = (one: Variant, kind: Statistics['kind']) => ponder<VariantLuck>(`me/statistics/luck?${ofVariant(one, kind)}`)
export const best = (game: string, mode: string) => ask<RunInfo>('GET', `runs/best?${query({ game, mode })}`)
export const board = (game: string, mode: string, period: Period, cursor: string | null = null) =>
  ask<Leaderboard>('GET', `boards/${game}?${query({ mode, period, cursor })}`)
export const modes = (game: string) => ask<ModeInfo[]>('GET', `boards/${game}/modes`)
export const dailyBoard = (day: string, game: string, which: 'first' | 'best', cursor: string | null = null) =>
  ask<Leaderboard>('GET', `daily/${day}/${game}/board?${query({ which, cursor })}`)
export const ratingBoard = (pool: string, by: RatingBoard['by'], limit: number) => ask<RatingBoard>('GET', `ratings/${pool}?${query({ by, limit })}`)
const playerPage = (id: string) => ask<PlayerPage>('GET', `players/${encodeURIComponent(id)}`)
/** Somebody's page; without an id, one's own. */
export const player = (id: string) => (id ? playerPage(id) : asMe(async () => playerPage((await arrived!).id)))
export const rename = (nickname: string) => asMe(() => ask<Me>('PATCH', 'me', { nickname }))
/** A code for another device; a lasting one is for the day when no device is left. */
export const transfer = (lasting: boolean) => asMe(() => ask<TransferCode>('POST', 'me/transfer', { lasting }))
export const devices = () => ask<DeviceInfo[]>('GET', 'me/devices')
export const signOut = (device: string) => ask<void>('DELETE', `me/devices/${device}`)
export const signOutOthers = () => ask<void>('DELETE', 'me/devices')
export const redeem = (code: string) => ask<Me>('POST', 'me/redeem', { code })
export const everything = () => asMe(() => ask<unknown>('GET', 'me/export'))
export const forgetMe = () => ask<void>('DELETE', 'me')
