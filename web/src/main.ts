import { mount } from 'svelte'
import App from './App.svelte'
import './look.css'
import { speak } from './lib/texts.svelte'
import { settings } from './lib/settings.svelte'

await speak(settings.language)
const page = document.getElementById('page')!
page.replaceChildren() // the name has been there since before the scripts; App shows it until there is more
mount(App, { target: page })
