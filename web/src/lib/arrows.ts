/** Arrows go from one to the next, as in any group of radio buttons. */
export function arrow(event: KeyboardEvent): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const buttons = [...(event.currentTarget as Element).querySelectorAll('button')]
  const next = buttons[(buttons.indexOf(document.activeElement as HTMLButtonElement) + step + buttons.length) % buttons.length]
  next?.focus()
  next?.click()
}
