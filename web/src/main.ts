import { mount } from 'svelte'
import App from './App.svelte'
import './look.css'
import './materials.css'
import { keepFocus } from './lib/focus'
import { settings } from './lib/settings.svelte'
import { speak } from './lib/texts.svelte'

/** Once the browser has painted what is there; at once in a tab that nobody sees, which paints nothing. */
const painted = new Promise<void>((resolve) => {
  if (document.hidden) resolve()
  else requestAnimationFrame(() => setTimeout(resolve))
})

await Promise.all([painted, speak(settings.language).catch(() => {})]) // App tries again
const page = document.getElementById('page')!
page.replaceChildren() // the name has been there since before the scripts; App shows it until there is more
mount(App, { target: page })
keepFocus(page)
