/** Whether the hall takes its time: something has been asked for longer than anybody likes to wait without a word. */

const PATIENCE = 2000

let late = $state(0)

export const isSlow = (): boolean => late > 0

/** Something has been asked. What is returned is to be called when there is an answer, or none is waited for. */
export function waiting(): () => void {
  let told = false
  const timer = setTimeout(() => {
    told = true
    late += 1
  }, PATIENCE)
  return () => {
    clearTimeout(timer)
    if (told) late -= 1
    told = false
  }
}
