/** Where keys and screen readers are: on a new screen at its name, and never nowhere. */

/** A new screen is shown, and its name has not had the focus yet. */
let unread = false
/** What had the focus last, and all that was around it, from the inside out. */
let around: HTMLElement[] = []

export const arrive = (): void => void (unread = true)

/** For a screen's name: whoever comes to the screen begins there. */
export function heading(name: HTMLElement): void {
  if (!unread) return
  unread = false
  take(name)
}

/** To the screen's name, away from the buttons beside it. */
export function toName(): void {
  const name = document.querySelector<HTMLElement>('h1')
  if (name) take(name)
}

/** To what had it before something lay over the page; to the screen's name, where that had only just been coming. */
export function giveBack(opener: HTMLElement | null): void {
  opener?.focus({ preventScroll: true })
  if (document.activeElement?.matches('body, #page')) toName()
}

/** For the end of a run: with it all controls go that whoever played may have been at. */
export function news(told: HTMLElement): void {
  if (around.length && !document.activeElement?.closest('dialog, header :is(a, button)')) take(told)
}

/** Whether keys that press a button would press one. */
export const isControl = (at: Element | null): boolean => at !== null && at.matches('a, button, input, select, textarea')

/** When what has the focus goes, the heading in the nearest thing that was around it has it, or that thing itself. */
export function keepFocus(page: HTMLElement): void {
  function mend(): void {
    if ((document.activeElement ?? document.body) !== document.body || around.length === 0 || !document.hasFocus()) return
    const open = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? page
    const left = around.find((one) => open.contains(one) && isSeen(one)) ?? open
    take(isControl(left) ? left : ([...left.querySelectorAll<HTMLElement>('h1, h2')].find(isSeen) ?? left))
  }

  document.addEventListener('focusin', ({ target }) => {
    around = []
    for (let one = target as HTMLElement | null; one && one !== document.body; one = one.parentElement) around.push(one)
  })
  document.addEventListener('focusout', () => setTimeout(mend)) // what is hidden loses it too
  new MutationObserver(mend).observe(page, { subtree: true, childList: true })
}

const isSeen = (one: HTMLElement): boolean => one.isConnected && one.checkVisibility({ visibilityProperty: true })

function take(one: HTMLElement): void {
  if (!isControl(one)) one.tabIndex = -1
  one.focus({ preventScroll: true })
}
