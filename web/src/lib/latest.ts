/** Answers that come late: each belongs to whoever asked, as long as nobody has asked again or gone away. */

import { onDestroy } from 'svelte'
import { Refusal } from './api'
import { notice } from './notice.svelte'
import { refusalText } from './refusals'
import { screenNow } from './router.svelte'
import { t } from './texts.svelte'

/**
 * To be made while a component is, once for each kind of question. What it gives is called with every question, and tells
 * then whether the answer still matters: it does not after another question, after whoever asked is gone, or on the way
 * to another screen, while this one is still shown.
 */
export function latest(): () => () => boolean {
  let newest = 0
  onDestroy(() => newest++)
  return () => {
    const [own, at] = [++newest, screenNow()]
    return () => own === newest && at === screenNow()
  }
}

/** What a tap has asked for, as long as it `matters`; null where it does not, or where there is no answer, which is said. */
export async function answerTo<T>(asked: Promise<T>, matters: () => boolean): Promise<T | null> {
  const found = await asked.catch((error: unknown) => {
    if (matters()) notice(error instanceof Refusal ? refusalText(error) : t('away'))
    return null
  })
  return matters() ? found : null
}
