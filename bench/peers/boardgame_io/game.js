// Classic Knucklebones for boardgame.io: the rules of docs/knucklebones.md, seat 0 begins.
"use strict";

const { INVALID_MOVE } = require("boardgame.io/core");

const SLOTS = 3;
const full = (grid) => grid.every((column) => column.length === SLOTS);
const scoreColumn = (column) =>
  column.reduce((sum, die) => sum + die * column.filter((other) => other === die).length, 0);
const scoreGrid = (grid) => grid.reduce((sum, column) => sum + scoreColumn(column), 0);

function place({ G, playerID }, column) {
  const seat = Number(playerID);
  if (![0, 1, 2].includes(column) || G.grids[seat][column].length === SLOTS) return INVALID_MOVE;
  G.grids[seat][column].push(G.die);
  G.grids[1 - seat][column] = G.grids[1 - seat][column].filter((die) => die !== G.die);
  G.die = 0;
}

const Knucklebones = {
  name: "knucklebones",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ grids: [[[], [], []], [[], [], []]], die: 0 }),
  turn: {
    minMoves: 1,
    maxMoves: 1,
    onBegin: ({ G, random }) => {
      G.die = random.D6();
    },
  },
  // Only the server has the dice, so a client has nothing to show before the server answers.
  moves: { place: { move: place, client: false } },
  endIf: ({ G }) => {
    if (!G.grids.some(full)) return undefined;
    const scores = G.grids.map(scoreGrid);
    return { scores, winners: [0, 1].filter((seat) => scores[seat] === Math.max(...scores)) };
  },
};

module.exports = { Knucklebones, SLOTS };
