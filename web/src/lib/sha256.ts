/** SHA-256. Browsers have one of their own, but not for a page that came over plain http from another machine. */

const bits = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32)

/** The primes, from 2 on. */
function* primes(): Generator<number> {
  for (let n = 2; ; n++) {
    let prime = true
    for (let by = 2; by * by <= n && prime; by++) prime = n % by !== 0
    if (prime) yield n
  }
}

const numbers = primes()
const first64 = Array.from({ length: 64 }, () => numbers.next().value as number)
const ROUNDS = first64.map((prime) => bits(Math.cbrt(prime)))
const START = first64.slice(0, 8).map((prime) => bits(Math.sqrt(prime)))

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** The text in UTF-8, its end marked, filled up to whole blocks that close with its length in bits. */
function padded(text: string): DataView {
  const data = new TextEncoder().encode(text)
  const blocks = new Uint8Array(64 * Math.ceil((data.length + 9) / 64))
  blocks.set(data)
  blocks[data.length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setUint32(blocks.length - 4, 8 * data.length)
  return view
}

function compress(state: number[], block: DataView, at: number): number[] {
  const words = new Uint32Array(64)
  for (let n = 0; n < 64; n++) {
    if (n < 16) {
      words[n] = block.getUint32(at + 4 * n)
      continue
    }
    const [older, newer] = [words[n - 15]!, words[n - 2]!]
    const low = turned(older, 7) ^ turned(older, 18) ^ (older >>> 3)
    const high = turned(newer, 17) ^ turned(newer, 19) ^ (newer >>> 10)
    words[n] = words[n - 16]! + low + words[n - 7]! + high
  }
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number]
  for (let n = 0; n < 64; n++) {
    const chosen = (e & f) ^ (~e & g)
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUNDS[n]! + words[n]!) >>> 0
    const most = (a & b) ^ (a & c) ^ (b & c)
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) >>> 0
    ;[a, b, c, d, e, f, g, h] = [(one + two) >>> 0, a, b, c, (d + one) >>> 0, e, f, g]
  }
  return [a, b, c, d, e, f, g, h].map((word, n) => (word + state[n]!) >>> 0)
}

/** The hash of a text, in hex. */
export function sha256(text: string): string {
  const data = padded(text)
  let state = START
  for (let at = 0; at < data.byteLength; at += 64) state = compress(state, data, at)
  return state.map((word) => word.toString(16).padStart(8, '0')).join('')
}
