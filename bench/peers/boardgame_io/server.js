// A boardgame.io server of classic Knucklebones with its own default storage, in memory.
//
//     node server.js        prints the address once it listens
"use strict";

const { Server } = require("boardgame.io/server");
const { Knucklebones } = require("./game");

const server = Server({ games: [Knucklebones], origins: [false] });
server.run({ port: 0 }).then(({ appServer }) => {
  console.log(`http://127.0.0.1:${appServer.address().port}`);
});
