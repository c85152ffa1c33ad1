/** Where we are, kept after the # so that the page works from any folder and without a server. */

export interface Place {
  screen: string
  path: string[]
  query: URLSearchParams
}

function read(): Place {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [screen = '', ...rest] = path.split('/').map(decodeURIComponent)
  return { screen, path: rest, query: new URLSearchParams(query) }
}

let place = $state.raw(read())
let last: Place | null = null

addEventListener('hashchange', () => {
  last = place
  place = read()
  scrollTo(0, 0)
})

export const here = (): Place => place

/** Where we were before; null: nowhere, the page has just been opened. */
export const before = (): Place | null => last

export const go = (to: string): void => void (location.hash = `/${to}`)

/** Go there without a way back to here. */
export function replace(to: string): void {
  history.replaceState(null, '', `#/${to}`)
  place = read()
}
