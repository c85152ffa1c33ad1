/** A box that has more to be seen further down says so: it fades there (look.css). */
export function scrolls(box: HTMLElement): () => void {
  const look = (): boolean => box.toggleAttribute('data-scrolls', box.scrollTop + box.clientHeight < box.scrollHeight - 4)
  const room = new ResizeObserver(look)
  const words = new MutationObserver(look)
  room.observe(box)
  words.observe(box, { subtree: true, childList: true, characterData: true })
  box.addEventListener('scroll', look, { passive: true })
  return () => {
    room.disconnect()
    words.disconnect()
  }
}
