// Automatic clients on both seats of boardgame.io matches.
//
//     node client.js http://127.0.0.1:PORT
//
// A line "TABLES SECONDS" on the standard input starts a round; its answer is one line of JSON: how many moves were
// seen, in how many seconds, and the milliseconds from sending a move to seeing the server's answer, half and 99 of a
// hundred of them quicker. A seat sends its next move as soon as it has seen the last; a finished match is followed by
// a new one, with new clients.
"use strict";

const readline = require("node:readline");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Knucklebones, SLOTS } = require("./game");

const server = process.argv[2];

async function post(path, body) {
  const answer = await fetch(`${server}/games/knucklebones/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

async function newMatch() {
  const { matchID } = await post("create", { numPlayers: 2 });
  const seats = ["0", "1"].map((playerID) => post(`${matchID}/join`, { playerID, playerName: `seat ${playerID}` }));
  return { matchID, credentials: (await Promise.all(seats)).map((joined) => joined.playerCredentials) };
}

// Resolves when the match is over or the round is.
async function playMatch(round) {
  const { matchID, credentials } = await newMatch();
  if (round.over) return;
  const clients = ["0", "1"].map((playerID) =>
    Client({
      game: Knucklebones,
      numPlayers: 2,
      matchID,
      playerID,
      credentials: credentials[Number(playerID)],
      multiplayer: SocketIO({ server, socketOpts: { transports: ["websocket"], forceNew: true } }),
      debug: false,
    }),
  );
  await new Promise((resolve) => {
    round.stops.push(resolve);
    clients.forEach((client, seat) => {
      let sentAt = 0;
      let sentOn = -1; // the number of the state that the last move was made on
      client.subscribe((state) => {
        if (state === null || round.over) return;
        if (sentOn >= 0 && state._stateID > sentOn && sentAt > 0) {
          round.latencies.push(performance.now() - sentAt);
          sentAt = 0;
        }
        if (state.ctx.gameover) return resolve();
        if (state.ctx.currentPlayer !== String(seat) || state._stateID <= sentOn) return;
        const open = [0, 1, 2].filter((column) => state.G.grids[seat][column].length < SLOTS);
        sentOn = state._stateID;
        sentAt = performance.now();
        client.moves.place(open[Math.floor(Math.random() * open.length)]);
      });
      client.start();
    });
  });
  clients.forEach((client) => client.stop());
}

async function table(round) {
  while (!round.over) await playMatch(round);
}

async function play(tables, seconds) {
  const round = { over: false, latencies: [], stops: [] };
  const began = performance.now();
  const all = Array.from({ length: tables }, () => table(round));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const elapsed = (performance.now() - began) / 1000;
  round.over = true;
  round.stops.forEach((stop) => stop());
  await Promise.all(all);
  const sorted = round.latencies.sort((a, b) => a - b);
  const at = (part) => sorted[Math.floor(sorted.length * part)] ?? 0;
  return { moves: sorted.length, seconds: elapsed, p50_ms: at(0.5), p99_ms: at(0.99) };
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [tables, seconds] = line.split(" ").map(Number);
    console.log(JSON.stringify(await play(tables, seconds)));
  }
  process.exit(0);
})();
