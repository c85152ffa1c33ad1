import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

export default defineConfig({
  base: './',
  plugins: [svelte(), packed()],
  resolve: { alias: { $texts: new URL('../src/dicehall/texts', import.meta.url).pathname } },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Few files, in the order in which they are needed: the hall, a table, one game, everything else.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'hall', test: /node_modules|main\.ts|App\.svelte|Hall\.svelte|parts\/(Die|Icon|Countdown|Trouble)|lib\/(api|catalog|refusals|router|settings|slow|texts)|texts\/en|games\/\w+\.ts|wire\.ts/, priority: 3 },
            { name: 'table', test: /screens\/(Play|Table)|lib\/(adapter|server|stage|sounds|haptics|picture)|parts\/(Table|Top|Sheet|GiveUp|Rules|End|Share|Confetti|Seats|Score|Toss|Target)/, priority: 2 },
            { name: 'more', test: /screens\/(Game|Settings|Boards|Runs|Rules|Replay)|parts\/(Choice|Switch|Option|Devices)/, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000' }, '/ws': { target: 'ws://127.0.0.1:8000', ws: true } } },
})
