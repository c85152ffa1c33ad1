import { svelte } from '@sveltejs/vite-plugin-svelte'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const OUT = '../src/dicehall/server/static'
const WORTH_PACKING = /\.(js|css|html|svg|json|webmanifest)$/

/** The server sends files as they lie there; packed once, at the best level, rather than for every visitor. */
function packed(): Plugin {
  return {
    name: 'packed',
    closeBundle() {
      for (const entry of readdirSync(OUT, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !WORTH_PACKING.test(entry.name)) continue
        const path = join(entry.parentPath, entry.name)
        const body = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }))
        writeFileSync(`${path}.br`, brotliCompressSync(body))
      }
    },
  }
}

/** Whose code a module of the bundle is: the folder of its package, or null where it is ours. */
function packageOf(module: string): string | null {
  const helper = /^\0(vite|rolldown)\//.exec(module) // what the tools add themselves
  if (helper?.[1]) return join('node_modules', helper[1])
  const path = module.replace(/^\0|\?.*$/g, '')
  if (!path.includes('/node_modules/') && !module.startsWith('\0')) return null
  let folder = dirname(path)
  while (basename(folder) !== 'node_modules') {
    const about = join(folder, 'package.json') // a folder inside a package may have one too, without a version
    if (existsSync(about) && JSON.parse(readFileSync(about, 'utf8')).version) return folder
    folder = dirname(folder)
  }
  throw new Error(`whose is ${module}?`)
}

/** The licences of others whose code is in the page, in a file that goes wherever the page goes. */
function notices(): Plugin {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [one] : []))
      const folders = chunks.flatMap((chunk) => Object.keys(chunk.modules).flatMap((module) => packageOf(module) ?? []))
      const told = [...new Set(folders)].map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
        const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
        if (!file) throw new Error(`${name} has no licence file`)
        // Vite's file goes on with the licences of what is in Vite, and not in the page
        const own = readFileSync(join(folder, file), 'utf8').replace(/# Licenses of bundled dependencies[^]*/, '')
        return `${name} ${version} (${license})\n\n${own.trim()}\n`
      })
      const source = ['The page contains code of others:\n', ...told.sort()].join(`\n${'-'.repeat(80)}\n\n`)
      this.emitFile({ type: 'asset', fileName: 'third-party.txt', source })
    },
  }
}

export default defineConfig({
  base: './',
  plugins: [svelte(), notices(), packed()],
  resolve: { alias: { $texts: new URL('../src/dicehall/texts', import.meta.url).pathname } },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Few files, in the order in which they are needed: the hall, a table, one game, everything else.
    rolldownOptions: {
      checks: { pluginTimings: false }, // how long each step took is no warning
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'hall',
              test: /node_modules(?!\/uqr)|main\.ts|App\.svelte|Hall\.svelte|parts\/(Die|Icon|Countdown|TopBar|Trouble)|lib\/(api|catalog|beside|notice|pips|pools|refusals|router|settings|slow|texts)|texts\/en\/(common|options)|games\/(index|plain)\.ts|wire\.ts/,
              priority: 3,
            },
            {
              name: 'table',
              test: /screens\/(Play|Table)|lib\/(adapter|server|stage|film|log|pace|taps|fresh|people|sounds|haptics|scrolls)|games\/throws|parts\/(Mark|Name|Table(?!Sheets|Menu)|Seats|Score\.|Toss|Target\.|Deck|Log|Throw|Coach\.)/,
              priority: 2,
            },
            { name: 'sheet', test: /parts\/Sheet|lib\/covers/, priority: 2 },
            { name: 'later', test: /lib\/headlines|parts\/(EndTray|CoachSheet|TableSheets|TableMenu|Rules|GiveUp|Confirm)/, priority: 1 },
            {
              name: 'people',
              test: /screens\/(Room|Invite|Join|Quick)|parts\/(Room[A-Z]|Presence|QuickFound)|lib\/(room|rooms|quick|sha256|contribution|times|series|notify)\./,
              priority: 1,
            },
            { name: 'share', test: /parts\/Share|lib\/(picture|sharing)/, priority: 1 },
            {
              name: 'more',
              test: /screens\/(Game|Settings|Boards|Runs|Rules|Replay)|parts\/(Cards|Choice|Switch|Option|Devices|Targets)/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000' }, '/ws': { target: 'ws://127.0.0.1:8000', ws: true } } },
})
