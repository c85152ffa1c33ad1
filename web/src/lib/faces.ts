/**
 * The house's players, as they are drawn: dice whose pips became eyes. Each has one hue, `--t` and its darker `--h`, beside
 * the grey of the pips; by the name of the player, or of its kind.
 */

type Drawing = [hue: string, dark: string, shapes: string]

const eyes = (x: number, y: number, r = 4.2): string => `<circle cx="${32 - x}" cy="${y}" r="${r}"/><circle cx="${32 + x}" cy="${y}" r="${r}"/>`
const head = (x = 8, y = 12, rx = 16): string => `<rect class="b" x="${x}" y="${y}" width="${64 - 2 * x}" height="${58 - y}" rx="${rx}"/>`

const FACES: Record<string, Drawing> = {
  'level:1': [
    '#f6b9a6',
    '#b4593f',
    `${head(8, 14)}<path class="k d" d="M32 14V5m0 6q7-8 11-4M32 12q-6-6-10-2"/><circle class="w" cx="22" cy="34" r="8.5"/><circle class="w" cx="42" cy="33" r="10"/><circle cx="25" cy="36" r="4.2"/><circle cx="39" cy="30" r="4.2"/><path d="M23 47q9 9 18-1-9 3-18 1z"/>`,
  ],
  'level:2': [
    '#f3dc9c',
    '#a87b24',
    `${head()}<path class="h" d="M7 28q0-21 25-21t25 21z"/><circle class="h" cx="32" cy="6" r="5.5"/><path class="k d" stroke-width="6" d="M9 28h46"/><path class="k" d="M18 37h9m10 0h9"/><path d="M19 38h7a3.5 4 0 0 1-7 0zm19 0h7a3.5 4 0 0 1-7 0zM32 46q-7-4-16 4 9 5 16 0 7 5 16 0-9-8-16-4z"/>`,
  ],
  'level:3': [
    '#cfe2ee',
    '#3d5b73',
    `<path class="h" d="M4 52V32Q4 6 32 6t28 26v20z"/>${head(10, 18, 15)}<path class="h" d="M9 31q20-1 27-12 6 10 19 12l1-14-24-8L9 17z"/><circle cx="24" cy="39" r="4.2"/><circle cx="43" cy="40" r="4.2"/><path class="k" d="M38 31q5-4 10 0M28 50q8 3 13-3"/><path class="k d" stroke-width="2.2" d="M16 46h2m3 3h2m25-3h2"/>`,
  ],
  'level:4': [
    '#dcc39c',
    '#6b5138',
    `<rect class="b" x="3" y="30" width="58" height="14" rx="5"/>${head(8, 8)}<path class="h" d="M8 38q6 4 12 2 12-5 24 0 6 2 12-2v6q0 15-16 15H24Q8 59 8 44z"/><path class="k" stroke-width="6.5" d="M17 25q8-2 13 1m4 0q6-3 13-1"/>${eyes(9, 33, 3.8)}<path class="k l" d="M26 48h12"/>`,
  ],
  'level:5': [
    '#e3d2e6',
    '#75588a',
    `<circle class="h" cx="32" cy="7" r="7"/>${head(8, 10)}<path class="h" d="M7 30Q6 9 32 9t25 21q-9-12-25-12T7 30z"/><g class="k">${eyes(10, 36, 9.5)}<path d="M31 35h2M28 52h9"/></g>${eyes(10, 36)}`,
  ],
  perfect: [
    '#fffdf4',
    '#eeb49c',
    `<rect class="b" x="8" y="8" width="48" height="50" rx="16" stroke="#cfc3aa" stroke-width="1.5"/>${eyes(11, 21, 5)}<g class="h">${eyes(11, 34, 5)}</g><path class="k" d="M21 46q11 6 22 0"/>${eyes(11, 46, 5)}`,
  ],
  standard: [
    '#d3d8d2',
    '#8c4a35',
    `<path class="h" d="M44 4h8v14h-8zM1 28 32 3l31 25z"/><path class="b" d="M9 28h46v20q0 10-10 10H19Q9 58 9 48z"/><path class="k" d="M17 34h10m10 0h10M20 51h24m-18 0v-4m6 4v-4m6 4v-4"/>${eyes(10, 40, 4)}`,
  ],
  lookahead: [
    '#c6e4e2',
    '#2f7072',
    `<path class="h" d="M32 5q22 0 24 20 7 8 2 16 5 9-4 18H10q-9-9-4-18-5-8 2-16Q10 5 32 5z"/>${head(11, 17, 15)}<path class="h" d="M10 30q2-14 12-14 14 8 32 12L44 12H20z"/><g class="w">${eyes(9.5, 38, 7)}</g><circle cx="26" cy="35" r="3.9"/><circle cx="45" cy="35" r="3.9"/><circle cx="33" cy="51" r="2.8"/>`,
  ],
  spec: [
    '#dfe3b6',
    '#66742a',
    `${head(8, 12)}<path class="h" d="M5 31Q6 8 32 8t27 23q-27-7-54 0z"/><rect class="h" x="28.5" y="2" width="7" height="24" rx="3"/><path class="k" d="M16 34l10 4m22-4-10 4"/>${eyes(9.5, 41, 3.8)}<path d="M21 48h22q-2 8-11 8t-11-8z"/><path class="w" d="M27 48h5v3.5h-5z"/>`,
  ],
  greedy: [
    '#f7cf95',
    '#a85a16',
    `<path class="h" d="M9 24 12 4l14 10zM55 24 52 4 38 14z"/>${head(8, 11)}<path class="h" d="M8 29q12-7 24 2 12-9 24-2v9q-13 8-24-2-11 10-24 2z"/><g class="w">${eyes(10, 34, 5)}</g><circle cx="24" cy="35" r="3.2"/><circle cx="44" cy="35" r="3.2"/><path d="M28 43h8l-4 4z"/><path class="k" d="M23 49q9 7 18 0"/>`,
  ],
  match: [
    '#f6cbd8',
    '#9c4468',
    `<g class="h">${eyes(20, 13, 9.5)}</g>${head(9, 12)}<path class="h" d="M8 31q0-21 24-21t24 21Q46 19 32 24 18 19 8 31z"/>${eyes(10, 38)}<path class="k" d="M24 49q8 6 16 0"/><g class="h">${eyes(17, 46, 2.8)}</g>`,
  ],
  highest: [
    '#ecc0a0',
    '#a1431c',
    `${head(8, 8)}<path class="h" d="M8 27Q7 6 32 6t24 21l-9-8H17z"/><path class="h" d="M8 34q8 6 13 5 11-5 22 0 5 1 13-5v11q0 17-24 17T8 45z"/>${eyes(9, 31, 3.8)}<path class="k" d="M17 25h11m8 0h11"/><path class="k l" d="M26 47q6 4 12 0"/>`,
  ],
  'bank:300': [
    '#d3e6c6',
    '#47753a',
    `<path class="h" d="M4 56Q2 6 32 6t28 50q-6 4-12 2l-16 4-16-4q-6 2-12-2z"/>${head(11, 17, 15)}<circle cx="32" cy="14" r="4.5" fill="#e3b93c"/><path class="k" d="M18 34h10m8 0h10"/><path d="M21 35h7a3.5 4.5 0 0 1-7 0zm18 0h7a3.5 4.5 0 0 1-7 0z"/><path class="k" d="M29 49h6"/>`,
  ],
  'bank:600': [
    '#f2dab8',
    '#7c3242',
    `${head(8, 14)}<path class="h" d="M3 24Q3 6 30 5t31 13q1 9-13 9-16-4-29 0Q4 31 3 24z"/>${eyes(10, 36)}<path class="k" stroke-width="3.5" d="M14 42q3 8 11 6 5-1 7-4 2 3 7 4 8 2 11-6"/><path d="M28 51h8l-4 7z"/>`,
  ],
  'bank:1000': [
    '#d3daf4',
    '#4353a6',
    `${head(8, 15)}<path class="h" d="M7 30 10 13l8 5 3-13 9 10 8-13 5 13 9-7 5 22Q44 21 32 21T7 30z"/><g class="w">${eyes(10, 36, 7)}</g><circle cx="24" cy="33" r="3.8"/><circle cx="44" cy="33" r="3.8"/><path d="M19 46q13 3 26-2-2 12-13 12T19 46z"/>`,
  ],
  random: [
    '#d9b581',
    '#8a5a2c',
    '<path class="h" d="M12 16h40l-6 42H18z"/><ellipse class="b" cx="32" cy="16" rx="20" ry="7"/><ellipse cx="32" cy="16" rx="15" ry="4.5" fill="#4a3116"/><path class="k t" d="M16 36h32"/>',
  ],
  // Somebody of whom no more is known: a die that looks at you.
  '': ['#efe7d6', '#8d8168', `${head(8, 8)}${eyes(10, 27, 5)}<path class="k" d="M22 44h20"/>`],
}

export const drawingOf = (player: string): Drawing => FACES[player] ?? FACES[player.split(':')[0]!] ?? FACES['']!
