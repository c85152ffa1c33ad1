import { mount } from 'svelte'
import App from './App.svelte'
import './look.css'
import { speak } from './lib/texts.svelte'
import { settings } from './lib/settings.svelte'

await speak(settings.language)
mount(App, { target: document.getElementById('page')! })
