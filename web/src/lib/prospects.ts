/** What the coach knows of a way of playing, asked once as long as the page is open. */

import type { Prospects } from '../wire'
import * as api from './api'

const asked = new Map<string, Promise<Prospects>>()

export function prospectsOf(game: string, mode: string, seats: number): Promise<Prospects> {
  const key = `${game} ${mode} ${seats}`
  const found = asked.get(key) ?? api.prospects(game, mode, seats)
  asked.set(key, found)
  found.catch(() => asked.delete(key))
  return found
}
