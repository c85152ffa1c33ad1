/** Where we are, kept after the # so that the page works from any folder and without a server. */

export interface Place {
  screen: string
  path: string[]
  query: URLSearchParams
}

function read(): Place {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [screen = '', ...rest] = decoded(path.split('/'))
  return { screen, path: rest, query: new URLSearchParams(query) }
}

/** What nobody can read leads to the hall. */
function decoded(parts: string[]): string[] {
  try {
    return parts.map(decodeURIComponent)
  } catch {
    return []
  }
}

let place = $state.raw(read())
/** As it was last gone to. */
let address = location.hash
let last: Place | null = null

addEventListener('hashchange', () => {
  if (location.hash === address) return // stayed
  address = location.hash
  last = place
  place = read()
  scrollTo(0, 0)
})

export const here = (): Place => place

/** Where we were before; null: nowhere, the page has just been opened. */
export const before = (): Place | null => last

/** Another table, run or wish to play is another screen; another step of the same run is not. */
export const nameOf = ({ screen, path, query }: Place): string =>
  `${screen}/${path[0] ?? ''}${screen === 'play' ? query : screen === 'puzzle' ? path[1] : ''}`

/** The screen that the address names; it may not be shown yet. */
export const screenNow = (): string => nameOf(read())

export const go = (to: string): void => void (location.hash = `/${to}`)

/** Go there without a way back to here. What lies over the page (lib/covers) stays in the browser's history. */
export function replace(to: string): void {
  history.replaceState(history.state, '', `#/${to}`)
  address = location.hash
  place = read()
}

/** After a step back in the browser's history that was none on the page: at the step of a run where we are by now. */
export function stay(): void {
  if (screenNow() === nameOf(place)) history.replaceState(history.state, '', address)
}
