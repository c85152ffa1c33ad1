/**
 * What the page's library does by itself, without a browser: `python web/build.py test`. Every test begins on an empty
 * device at time 0; what fails is printed, by test.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";

const { createServer } = await import(`${process.cwd()}/node_modules/vite/dist/node/index.js`);

const VIEW = { seats: [{}, {}] };
const ME = 1;

const tests = {
    async "a hash is as everybody has it"(load) {
        const { sha256 } = await load("sha256.ts");
        for (const [text, hash] of [
            ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
            ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
            [
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ],
            ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
        ])
            assert.equal(sha256(text), hash);
        const { createHash } = await import("node:crypto");
        for (let length = 0; length < 200; length++) {
            const text = "ü".repeat(length % 7) + "x".repeat(length);
            assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"));
        }
    },

    async "what is added to the dice is drawn once for a game"(load) {
        const { drawnFor, sealOf, seedFor } = await load("contribution.ts");
        const house = "c".repeat(64);
        assert.equal(seedFor(house), null);
        const seed = drawnFor(house);
        assert.match(seed, /^[0-9a-f]{64}$/);
        assert.equal(drawnFor(house), seed);
        assert.notEqual(drawnFor("d".repeat(64)), seed);
        assert.equal(seedFor(house), seed);
        // as dicehall.dice.contribution_seal has it
        assert.equal(
            sealOf(house, 1, "e".repeat(64)),
            "493870e8a19e7326876a8c1fb6600f06bde72cef0ece086268a995e1425ce17d",
        );
    },

    async "a clock shows what is left, by the hall's time"(load, at) {
        const { clockText, HallTime, leftOf } = await load("times.ts");
        assert.deepEqual([0, 1, 59_001, 60_000, 3_600_000].map(clockText), ["0:00", "0:01", "1:00", "1:00", "1:00:00"]);
        const times = {
            turn: 1,
            since_ms: 5000,
            own_ms: 30_000,
            reserves_ms: [9000, 8000],
            due_ms: null,
            begin_ms: null,
        };
        assert.deepEqual(leftOf(times, 0, 20_000), { own: null, reserve: 9000 });
        assert.deepEqual(leftOf(times, 1, 20_000), { own: 15_000, reserve: 8000 });
        assert.deepEqual(leftOf(times, 1, 36_000), { own: 0, reserve: 7000 });
        assert.deepEqual(leftOf(times, 1, 90_000), { own: 0, reserve: 0 });
        const time = new HallTime();
        time.heard(1_000_000);
        time.heard(999_000); // it was longer on its way
        assert.ok(Math.abs(time.now - 1_000_000) < 50);
    },

    async "the names of who played a run stay as they were"(load) {
        const { keepNames, namesAt, people } = await load("people.svelte.ts");
        people[1] = "Hedy";
        keepNames("run", 2);
        people[1] = "Somebody";
        people[2] = "Else";
        keepNames("run", 2);
        assert.deepEqual(namesAt("run"), ["Hedy", "Player 2"]);
        assert.deepEqual(namesAt("another"), []);
    },

    async "of many runs the newest keep their names"(load) {
        const { keepNames, namesAt, people } = await load("people.svelte.ts");
        people[2] = "Grace";
        for (let n = 0; n <= 200; n++) keepNames(`run ${n}`, 2);
        assert.deepEqual(namesAt("run 200"), ["Player 1", "Grace"]);
        assert.deepEqual(namesAt("run 0"), []);
    },

    async "of equal names each has its number"(load) {
        const { namesOf, people } = await load("people.svelte.ts");
        people[1] = people[2] = "Anna";
        assert.deepEqual(namesOf(["you", "you", "you"], null, true), ["Anna 1", "Anna 2", "Player 3"]);
        assert.deepEqual(namesOf(["you", "bank:300", "bank:300"]), ["You", "Penny 1", "Penny 2"]);
    },

    async "a name is cut between what people see as characters, counted as the hall counts"(load) {
        const { leftOff, lengthText, people, personName } = await load("people.svelte.ts");
        await (await load("texts.svelte.ts")).need("screens");
        const cut = (value) => {
            const field = { value };
            return [field, leftOff(field)].map((one) => one.value ?? one);
        };
        const flag = "🇩🇪"; // two code points, four units
        assert.deepEqual(cut("a".repeat(23) + "🎲🎲"), ["a".repeat(23) + "🎲", "🎲"]);
        assert.deepEqual(cut("🎲".repeat(24)), ["🎲".repeat(24), ""]);
        assert.deepEqual(cut("a".repeat(23) + flag), ["a".repeat(23), flag]);
        assert.deepEqual(cut("e\u0301".repeat(24)), ["e\u0301".repeat(24), ""]); // the hall composes them
        assert.equal(lengthText("🎲".repeat(23), ""), "");
        assert.equal(lengthText("🎲".repeat(24), ""), "At most 24 characters.");
        assert.equal(lengthText("", "a".repeat(25)), `At most 24 characters, without “${"a".repeat(24)}…”`);
        people[1] = ` ${"🎲".repeat(30)}`; // as it may have been kept
        assert.equal(personName(1), "🎲".repeat(24));
        const { Segmenter } = Intl;
        delete Intl.Segmenter; // an older browser
        const older = cut("a".repeat(23) + "🎲🎲");
        Intl.Segmenter = Segmenter;
        assert.deepEqual(older, ["a".repeat(23) + "🎲", "🎲"]);
    },

    async "nobody is told of fields and bytes"(load) {
        const { refusalText } = await load("refusals.ts");
        const { speak } = await load("texts.svelte.ts");
        const said = (code) => refusalText({ code, message: "body.nickname: Input should be a valid string" });
        for (const [language, unreadable, silent] of [
            ["en", "The hall cannot read that. Check what you have entered.", "That did not work."],
            ["de", "Das kann die Halle nicht lesen. Sieh nach, was eingegeben ist.", "Das ging nicht."],
        ]) {
            await speak(language);
            for (const code of ["request", "text", "body-length", "message", "message-length"])
                assert.equal(said(code), unreadable);
            assert.equal(said("http"), silent);
        }
        assert.match(said("of-another-package"), /body.nickname/, "a game of another package has its own words");
    },

    async "that a table is gone is no news to who gives it up, unless that fails"(load) {
        const sockets = [];
        globalThis.WebSocket = class {
            constructor() {
                sockets.push(this);
            }
            close() {}
        };
        const { giveUp, server } = await load("server.ts");
        const told = [];
        const sit = () => server.sit("table", { line: (line) => told.push(line) });
        const gone = () => sockets.at(-1).onclose({ code: 4404, reason: "" });
        const answer = (status) =>
            (globalThis.fetch = async () => {
                gone(); // which may come before the answer
                return { ok: status < 400, status, json: async () => ({ code: "busy", message: "" }) };
            });
        sit();
        answer(204);
        await giveUp("table");
        assert.deepEqual(told, []);
        sit();
        gone();
        assert.deepEqual(told, ["gone"], "whoever comes back hears of it");
        sit();
        answer(503);
        await assert.rejects(giveUp("table"));
        assert.deepEqual(told, ["gone", "gone"]);
    },

    async "of many challenges the newest are remembered"(load) {
        const { challenge, rivalAt } = await load("rivals.ts");
        for (let n = 0; n < 20; n++) challenge(`table ${n}`, `run ${n}`);
        challenge("table 0", "another run");
        challenge("table 20", "run 20");
        assert.deepEqual(["table 0", "table 1", "table 20"].map(rivalAt), ["another run", null, "run 20"]);
    },

    async "a swipe throws once, however long it is"(load, at) {
        const { area, rolls } = await hand(load);
        for (const swipes of [1, 2]) {
            area("pointerdown", { clientX: 10, clientY: 10 });
            area("pointermove", { clientX: 50, clientY: 10 }); // a finger that trembles
            assert.equal(rolls(), swipes - 1);
            for (const clientX of [70, 120, 200]) area("pointermove", { clientX, clientY: 10 });
            assert.equal(rolls(), swipes);
            at.send("pointerup", {});
        }
        area("pointermove", { clientX: 400, clientY: 10 }); // above it, without a touch
        area("pointerdown", { clientX: 10, clientY: 10 });
        at.send("pointerup", {});
        area("pointermove", { clientX: 400, clientY: 10 });
        assert.equal(rolls(), 2);
    },

    async "a device is shaken, not just put down"(load, at) {
        const { rolls, away } = await hand(load);
        const jolt = (time, x = 20) => {
            at.time = time;
            at.send("devicemotion", { acceleration: { x, y: 0, z: 0 } });
        };
        jolt(0);
        jolt(50); // the same one, still trembling
        jolt(200, 5);
        jolt(1000); // too late for the first
        assert.equal(rolls(), 0);
        jolt(1300);
        assert.equal(rolls(), 1);
        away();
        jolt(1500);
        assert.equal(rolls(), 1);
    },

    async "who breaks a column, and whose it was"(load) {
        const broken = (seat) => [
            { code: "set-made", seat: 1 - seat, times: 2 },
            { code: "broken", seat },
        ];
        assert.equal(await heard(load, broken(ME)), "broken");
        assert.equal(await heard(load, broken(1 - ME)), "broke");
    },

    async "what happened to whom"(load) {
        const banked = (seat, large) => [{ code: "banked", seat, large }];
        assert.equal(await heard(load, banked(ME, true)), "bank");
        assert.equal(await heard(load, banked(1 - ME, true)), "bank-yours");
        assert.equal(await heard(load, banked(1 - ME, false)), "");
        assert.equal(await heard(load, [{ code: "set-made", seat: ME, times: 3 }]), "triple");
        assert.equal(await heard(load, [{ code: "farkle", seat: 1 - ME }]), "farkle-yours");
        assert.equal(
            await heard(load, [{ code: "farkle", seat: ME }, { code: "run-over" }]),
            "",
            "the end has its own word",
        );
    },

    async "how it stands after a move of its own"(load) {
        const passed = (to, leader) => [{ code: "turn-passed", to, leader }];
        assert.equal(await heard(load, passed(1 - ME, ME)), "lead");
        assert.equal(await heard(load, passed(1 - ME, 1 - ME)), "behind");
        assert.equal(await heard(load, passed(1 - ME, null)), "");
        assert.equal(await heard(load, passed(ME, ME)), "", "that was a move of the other");
        const last = { seats: [{}, { placements_remaining: 1 }] };
        assert.equal(await heard(load, passed(1 - ME, ME), last), "last");
    },

    async "between two remarks it rests, and about something rare less long"(load) {
        const voice = await opponent(load);
        const said = [];
        const hear = (number, code, more) => {
            const before = voice.said;
            voice.hear({ number, events: [{ code, seat: ME, ...more }] }, VIEW);
            if (voice.said !== before) said.push([number, voice.occasion]);
        };
        for (let number = 10; number <= 17; number++) hear(number, "broken");
        for (let number = 17; number <= 19; number++) hear(number, "set-made", { times: 3 });
        hear(24, "broken");
        assert.deepEqual(said, [
            [10, "broken"],
            [16, "broken"],
            [18, "triple"],
        ]);
    },

    async "texts that are needed while another language comes are there in it"(load) {
        await load("../../../src/dicehall/texts/en/statistics.json"); // so that it is there first
        const { need, speak, t } = await load("texts.svelte.ts");
        const coming = speak("de");
        await need("statistics"); // in English, as long as that is spoken
        assert.equal(document.documentElement.lang, "en");
        await coming;
        assert.match(t("statistics.empty"), /Partie/);
        assert.equal(document.documentElement.lang, "de");
    },

    async "the language that was chosen last is spoken, whichever comes last"(load) {
        const { speak, t } = await load("texts.svelte.ts");
        const coming = speak("de");
        await speak("en");
        await coming;
        assert.equal(t("back"), "Back");
        assert.equal(document.documentElement.lang, "en");
    },

    async "an address that nobody can read leads to the hall"(load, at) {
        location.hash = "#/run/%";
        const { here, screenNow } = await load("router.svelte.ts");
        assert.equal(here().screen, "");
        for (const [hash, screen] of [
            ["#/run/a%20b", "run/a b"],
            ["#/game/%zz", "/"],
        ]) {
            location.hash = hash;
            at.send("hashchange");
            assert.equal(screenNow(), screen);
            assert.equal(here().screen, screen.split("/")[0]);
        }
    },

    async "an address that is replaced keeps what the browser knows of it"(load) {
        const { replace } = await load("router.svelte.ts");
        history.state = { covers: true };
        replace("run/1/2");
        assert.deepEqual(history.state, { covers: true });
        assert.equal(location.hash, "#/run/1/2");
    },

    async "whoever leaves while being signed in opens no line any more"(load) {
        const { sockets, seat, signedIn } = await refused(load);
        seat.leave();
        await signedIn();
        assert.equal(sockets.length, 1);
    },

    async "whoever hurries while being signed in opens one line"(load, at) {
        const { sockets, signedIn } = await refused(load);
        at.send("online");
        await signedIn();
        assert.equal(sockets.length, 2);
    },

    async "a line that was good is looked for at once when it breaks again"(load) {
        await spoken(load, "lite-versus");
        const sockets = [];
        globalThis.WebSocket = class {
            constructor() {
                sockets.push(this);
            }
            send() {}
        };
        const waits = [];
        window.setTimeout = (what, time) => {
            waits.push(time);
            what(); // at once
        };
        const { server } = await load("server.ts");
        server.sit("table", { line() {}, shown() {} });
        const lost = () => sockets.at(-1).onclose({ code: 1006, reason: "" });
        for (let n = 0; n < 6; n++) lost();
        const shown = { type: "table", count: 1, view: { game: "lite-versus" } };
        await sockets.at(-1).onmessage({ data: JSON.stringify(shown) });
        lost();
        assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 4000, 250]);
    },

    async "every question to the coach has its own ten seconds"(load) {
        const { Asking } = await load("asking.svelte.ts");
        const asking = new Asking();
        const pass = clock();
        asking.ask("table", null);
        pass(6_000);
        asking.shown({ id: "table", hint: {} }, false);
        asking.ask("table", null);
        pass(6_000);
        assert.equal(asking.silence, null);
        pass(5_000);
        assert.equal(asking.silence, "coach.late");
    },

    async "a goal is asked for again until the coach has nothing to say about it"(load) {
        const { Asking } = await load("asking.svelte.ts");
        const asking = new Asking();
        clock();
        asking.ask("table", "shut");
        asking.shown({ id: "table", hint: {} }, false);
        assert.equal(asking.ask("table", null), "shut");
        asking.refused({ code: "objective" }, "table");
        assert.equal(asking.ask("table", null), null);
    },

    async "a win that is shared names the others, wherever one sits"(load) {
        await (await load("texts.svelte.ts")).need("later");
        const { headline } = await load("headlines.ts");
        const view = { outcomes: ["lost", "shared", "shared"], result: { winners: [1, 2] } };
        const said = headline(view, ["highest", "you", "random"], ["Ada", "You", "Grace"]);
        assert.equal(said, "You and Grace share the win");
    },

    async "twelve parts of a run stand in a row, more are counted"(load) {
        await spoken(load, "farkle", "later");
        const { cardOf } = await load("sharing.ts");
        const result = { aim: { unit: "turns" }, outcomes: [null], result: { scores: [13], winners: [] } };
        const view = {
            game: "farkle",
            options: { target: 1000 },
            seats: [{ banked: 1000 }],
            round: 13,
            medal: null,
            ...result,
        };
        const table = { view, seats: ["you"], kind: "practice", mode: "standard", day: null, unranked: [] };
        const row = (count) => {
            const parts = [Array(count).fill({ code: "farkle", n: null })];
            return cardOf(table, "run", null, { hidden: false, parts }, null).row;
        };
        assert.equal(row(12), Array(12).fill("farkle").join(", "));
        assert.equal(row(13), "13 × farkle");
    },

    async "word from the table does not cut off the move that is being shown"(load, at) {
        await spoken(load, "lite-versus");
        const { Stage } = await load("stage.svelte.ts");
        const stage = new Stage();
        const view = (board, total) => ({
            game: "lite-versus",
            turn_of: 0,
            die: null,
            result: null,
            seats: [{}, { board: [board], rows: [{ score: total }], total }],
        });
        const [before, after] = [view([null], 0), view([5], 5)];
        const about = {
            id: "table",
            kind: "practice",
            seats: ["you", "lookahead"],
            run: null,
            unranked: [],
            hint: null,
        };
        stage.shown({ ...about, count: 0, view: before, film: [{ step: "", by: null, events: [], view: before }] });
        const moved = { ...about, count: 1, view: after, film: [{ step: "a1", by: 1, events: [], view: after }] };
        stage.shown(moved);
        stage.shown({ ...moved, hint: {} });
        assert.equal(stage.busy, true);
        assert.equal(stage.view, before);
        at.time = 1000; // no tap is an echo any more
        stage.skip();
        await new Promise((resolve) => setTimeout(resolve));
        assert.equal(stage.busy, false);
        assert.equal(stage.view, after);
        assert.match(stage.told, /five in row 1, column 1/);
    },

    async "who does as well as a run does not do worse"(load) {
        await spoken(load, "farkle", "coach");
        const { comparison } = await load("coach.ts");
        const report = { objective: "arcade", percentile: 0.11 };
        const about = { text: "arcade", name: "arcade", limit: null, unit: "points" };
        const said = (more) => comparison({ ...report, compared: { about, result: 0, ...more } });
        assert.equal(said({ worse: 0, equal: 0.21 }), "Better than 0% of perfect runs; 21% do as well");
        assert.equal(said({ worse: 0.9996, equal: 0.0004 }), "Better than 99.9% of perfect runs");
        report.objective = "win";
        assert.equal(
            said({ worse: 0.5, equal: 0.06 }),
            "0 points: better than 50% of perfect runs in which only points count; 6% do as well",
        );
        assert.equal(comparison({ ...report, compared: null }), null);
    },

    async "a loss is called small where its digits would say that it is none"(load) {
        await spoken(load, "farkle", "coach");
        const { amount, behind } = await load("coach.ts");
        const brief = (about, lost) => behind(about, { value: 0.5, loss: lost }, 0.5 + lost, 2);
        const said = (unit, ...values) => values.map((value) => amount({ unit }, value));
        assert.deepEqual(said("points", 0.012, 0.006, 0.004), ["0.01 points", "0.01 points", "less than 0.01 points"]);
        assert.equal(brief({ unit: "chance" }, 0.00006), "0.01 pp");
        assert.equal(brief({ unit: "chance" }, 0.00004), "less than 0.01 pp");
        assert.equal(brief({ unit: "chance" }, 0), "0.00 pp");
    },

    async "rules that change why there is no figure change the odds"(load) {
        const { differs } = await load("lab.ts");
        const none = { usual: null, changed: null, usual_lacks: "no-goal" };
        assert.equal(differs({ ...none, changed_lacks: "unsolved" }), true);
        assert.equal(differs({ ...none, changed_lacks: "no-goal" }), false);
        assert.equal(differs({ usual: 1, changed: 2, usual_lacks: null, changed_lacks: null }), true);
    },

    async "a best score says of which variant it is, where that has a short name"(load) {
        await spoken(load, "shut-the-box");
        const { bestText } = await load("headlines.ts");
        const best = { game: "shut-the-box", aim: "points", score: 282, scores: [282], outcome: null };
        assert.equal(bestText({ ...best, mode: "standard" }), "Best 282 points");
        assert.equal(bestText({ ...best, mode: "tiles=12;goal=175" }), "Best 282 points · Twelve tiles");
        assert.equal(
            bestText({ ...best, mode: "rounds=1:you,highest,random" }),
            "Best 282 points · Rounds: 1 · Axel, The cup",
        );
        assert.equal(bestText({ ...best, mode: "tiles=12;rounds=3;mulligan=true;goal=100" }), "");
        const lost = { ...best, mode: "rounds=1:you,highest", outcome: "lost", scores: [30, 12] };
        assert.equal(bestText(lost), "Last game lost, 30\u00a0:\u00a012");
    },

    async "of a run it is each turn that was played for, and no more than that was judged"(load) {
        await spoken(load, "farkle", "coach");
        const { figuresOf, goal, sureOfRun, within } = await load("coach.ts");
        const turn = { name: "turn", scope: "turn", unit: "points", certainty: "exact", playable: true, limit: null };
        assert.equal(goal(turn), "the points of this turn", "of a hint");
        assert.equal(within(turn), "the points of each turn", "in the lab");
        assert.match(sureOfRun(turn, 3), /^Exact for each turn by itself\. .* not judged\.$/);
        assert.equal(
            figuresOf({ unit: "points", about: turn }),
            "Played for the points of each turn. Unit: points.",
            "beside the figures of an end",
        );
        const golf = { ...turn, name: "golf", scope: "round" };
        assert.match(sureOfRun(golf, 2), /^Exact for each round by itself\. /);
        assert.equal(sureOfRun(golf, 1), "Exact: under perfect play from here on.");
        assert.equal(sureOfRun({ ...turn, name: "win", scope: "run" }, 2), "Exact: under perfect play from here on.");
        assert.equal(figuresOf({ unit: "chance", about: turn }), "pp: percentage points");
    },

    async "a run alone says among my runs whether it met its target"(load) {
        await spoken(load, "shut-the-box", "screens");
        const { aimed } = await load("headlines.ts");
        const run = (why, winners, more) => ({
            scores: [40],
            aim: "points",
            record: { result: { why, winners } },
            ...more,
        });
        assert.equal(aimed(run("goal-met", [0])), "target met");
        assert.equal(aimed(run("target-reached", [0])), "target met");
        assert.equal(aimed(run("goal-missed", [])), "target missed");
        assert.equal(aimed(run("target-missed", [])), "target missed");
        assert.equal(aimed(run("shut", [0])), "The box is shut", "which wins at once");
        assert.equal(aimed(run("shut", [0], { aim: "turns" })), "", "a long game ends so or so");
        assert.equal(aimed(run("complete", [])), "");
        assert.equal(aimed(run("target-reached", [], { aim: "turns" })), "");
        assert.equal(aimed(run("rounds", [1], { scores: [40, 30] })), "");
    },

    async "perfect play says where it is not quite perfect"(load) {
        await spoken(load, "knucklebones");
        const { botAbout } = await load("catalog.ts");
        assert.equal(botAbout("perfect", "lite-versus"), "Always plays the best move.");
        assert.match(botAbout("perfect", "knucklebones"), /gives away about a twentieth of a percentage point/);
        assert.equal(botAbout("spec", "knucklebones"), "Stacks its own and breaks yours.");
    },

    async "a replay tells the chance after a blunder and a gift as after other moves"(load) {
        await spoken(load, "knucklebones", "coach");
        const { judgement } = await load("coach.ts");
        const report = { game: "knucklebones", unit: "chance", seat: 0, about: { unit: "chance" } };
        const moment = { actor: 0, value: 0.42, luck: 0, lost: 0.09, best: "1", mark: "blunder", why: null };
        const said = (more) => judgement(report, { ...moment, ...more }, null, null);
        assert.equal(said({ mark: "best", lost: 0 }), "Your chance: 42.0%. The best move.");
        assert.equal(said({}), "Your chance: 42.0%. ▲ Better: column 1. This cost 9.00 pp.");
        assert.equal(said({ actor: 1 }), "Your chance: 42.0%. A gift of 9.00 pp. Better: column 1.");
        assert.equal(judgement(report, moment, null, "Ada").split(". ")[0], "Ada: chance 42.0%");
    },

    async "few best moves are all marked, of many the first"(load) {
        const { bestOf } = await load("hinted.ts");
        const moves = (...losses) => ({ moves: losses.map((loss, n) => ({ move: String(n), loss })) });
        assert.deepEqual(bestOf(moves(0, 0, 0)), ["0", "1", "2"]);
        assert.deepEqual(bestOf(moves(0, 0, 0.1)), ["0", "1"]);
        assert.deepEqual(bestOf(moves(0, 0, 0, 0)), ["0"]);
        assert.deepEqual(bestOf(null), []);
    },

    async "a chance is rounded to nothing and all only where it is so"(load) {
        await spoken(load, "knucklebones", "coach");
        const { difference, figure, written } = await load("coach.ts");
        const [chance, points] = [{ unit: "chance" }, { unit: "points" }];
        assert.deepEqual(
            [0, 1e-7, 0.9995, 1].map((value) => figure(chance, value)),
            ["0.00%", "1 in 10,000,000", "99.9%", "100.0%"],
        );
        assert.deepEqual(
            [0, 1e-7, 0.999999, 1].map((value) => written(chance, value, 2)),
            ["0.00%", "0.01%", "99.99%", "100.00%"],
        );
        assert.equal(figure(points, 0.001), "0.00");
        assert.deepEqual(
            [0.00001, 0, -0.00001, 0.0123].map((value) => difference(chance, value)),
            ["0.00 pp", "0.00 pp", "0.00 pp", "+1.23 pp"],
        );
        assert.deepEqual(
            [0.001, 0, -0.001, 2].map((value) => difference(points, value)),
            ["0.00", "0.00", "0.00", "+2.00"],
        );
    },

    async "a chance too small for its digits is told in runs, and its parts one by one"(load) {
        await spoken(load, "lite-solo", "coach");
        const { changeInWords, expected, part } = await load("coach.ts");
        const start = 1 / 120_000;
        const shown = { start: 0.0001, luck: -0.0001, lost: 0, result: 0, places: 2 };
        const report = { unit: "chance", about: {}, start, luck: -start / 2, lost: start / 2, result: 0, shown };
        assert.equal(expected(report), "1 in 120,000");
        assert.equal(part(report, "luck"), "next to nothing");
        assert.equal(part(report, "luck", changeInWords), "next to nothing");
        assert.equal(part(report, "lost"), "next to nothing");
        assert.equal(part({ ...report, lost: 0 }, "lost"), "0.00 pp");
        const lucky = { ...report, luck: 0.05, lost: 0.05 + start };
        assert.deepEqual([part(lucky, "luck"), part(lucky, "lost")], ["+5.00 pp", "−5.00 pp"]);
        const usual = { ...report, start: 0.25, shown: { ...shown, start: 0.25, luck: -0.2, lost: 0.05 } };
        assert.deepEqual(
            [expected(usual), part(usual, "luck"), part(usual, "lost")],
            ["25.00%", "−20.00 pp", "−5.00 pp"],
        );
        assert.equal(expected({ ...usual, unit: "points", start: 0.00001, shown: { ...shown, start: 0 } }), "0.00");
    },

    async "what a move loses is the difference of what is told of it and of the best"(load) {
        await spoken(load, "farkle", "coach");
        const { behind } = await load("coach.ts");
        const [turns, chance] = [{ unit: "turns" }, { unit: "chance" }];
        assert.equal(behind(turns, { value: 21.566, loss: 0.114 }, 21.452, 2), "0.12");
        assert.equal(behind(turns, { value: 21.4521, loss: 0.0001 }, 21.452, 2), "less than 0.01");
        assert.equal(behind(chance, { value: 0.4996, loss: 0.0008 }, 0.5004, 1), "0.1 pp");
        assert.equal(behind(chance, { value: 0.49946, loss: 0.00108 }, 0.50054, 1), "0.2 pp");
        assert.equal(behind(chance, { value: 0.0001, loss: 0.0002 }, 0.0003, 2), "0.02 pp");
    },

    async "a refusal can be read, whatever was refused just before"(load) {
        const { Stage } = await load("stage.svelte.ts");
        const stage = new Stage();
        const pass = clock();
        stage.misTap("die-kept");
        pass(2_000);
        stage.misTap("die-plain");
        pass(2_000);
        assert.equal(stage.refusal?.code, "die-plain");
        pass(2_000);
        assert.equal(stage.refusal, null);
    },

    async "a step that comes while the log catches up has its line"(load) {
        const { log, note, frame } = await farkleLog(load, ["You", "Penny"]);
        note(3, frame("d222346"));
        log.begin([frame(""), frame("d111246"), frame("d152226")]);
        assert.deepEqual(
            log.lines.map(({ number, text }) => [number, text]),
            [
                [1, "You: Rolled 1 1 1 2 4 6."],
                [2, "You: Rolled 1 5 2 2 2 6."],
                [3, "You: Rolled 2 2 2 3 4 6."],
            ],
        );
    },

    async "what is played elsewhere in the place of what was taken back has its line"(load) {
        const { log, note, frame, view } = await farkleLog(load, ["You", "Penny"]);
        for (const number of [1, 2, 3]) note(number, frame("d111246"));
        log.recall([], 1, view); // taken back
        assert.equal(log.recall([{ ...frame("d152226"), number: 2 }], 2, view), false);
        assert.deepEqual(
            log.lines.map(({ number, text }) => [number, text]),
            [
                [1, "You: Rolled 1 1 1 2 4 6."],
                [2, "You: Rolled 1 5 2 2 2 6."],
            ],
        );
        log.recall([], 1, view);
        assert.equal(log.recall([{ ...frame("d152226"), number: 3 }], 3, view), true, "the one before is missing");
    },

    async "a move that took the place of another while the line was away has its line"(load) {
        const { log, note, frame, view } = await farkleLog(load, ["You", "Penny"]);
        const told = () => log.lines.map(({ number, text }) => [number, text]);
        for (const number of [1, 2, 3]) note(number, frame("d111246"));
        const film = [
            { ...frame("d152226"), number: 2 },
            { ...frame("d222346"), number: 3 },
        ];
        assert.equal(log.recall(film, 3, view), true, "nobody knows how many were taken back");
        const now = [
            [1, "You: Rolled 1 1 1 2 4 6."],
            [2, "You: Rolled 1 5 2 2 2 6."],
            [3, "You: Rolled 2 2 2 3 4 6."],
        ];
        assert.deepEqual(told(), now);
        assert.equal(log.recall(film, 3, view), false, "nothing has happened since");
        assert.deepEqual(told(), now);
        assert.equal(log.recall(film, 3, { ...view, state: "an earlier one was another" }), true);
        assert.equal(log.recall([], 3, view), true, "and the last one was taken back");
        assert.deepEqual(told(), []);
        log.begin([frame(""), frame("d111246"), frame("d152226"), frame("d222346")]);
        assert.deepEqual(told(), now);
        assert.equal(log.recall(film, 3, view), false);
    },

    async "a sentence of a log has the name of whom it is about once, whatever that is"(load) {
        for (const who of ["F", "Farkle", "Rolled", "Ada"]) {
            const { note, frame } = await farkleLog(load, [who, "Penny"]);
            assert.equal(
                note(1, frame("d223464", [{ code: "farkle", seat: 0, lost: 500 }])),
                `${who}: Farkle! 500 lost.`,
            );
            const banked = { code: "banked", seat: 0, points: 300, total: 700 };
            assert.equal(note(2, { ...frame("bank", [banked]), by: 0 }), `${who}: 300 banked, 700 in all.`);
        }
    },

    async "a tournament that nobody stays in is decided by totals"(load) {
        await spoken(load, "shut-the-box");
        const { whyOver } = await load("../games/shutTheBox.ts");
        const view = (winners, ...totals) => ({
            result: { why: "out", winners },
            seats: totals.map((total) => ({ total, out: total >= 45 })),
        });
        assert.equal(whyOver(view([0], 30, 51)), "Out at 45");
        const together = "All who were left are out in the same round";
        assert.equal(whyOver(view([0], 46, 51)), `${together}: the lowest total wins`);
        assert.equal(whyOver(view([0, 1], 46, 46)), `${together}, and the lowest totals are equal`);
        assert.equal(whyOver({ ...view([0], 46, 51), result: { why: "shut", winners: [0] } }), "The box is shut");
    },
};

/** A game can be put into words, with these texts. */
async function spoken(load, game, ...texts) {
    await (await load("guests.ts")).learn(game);
    await (await load("texts.svelte.ts")).need(...texts);
}

/** The log of a table of Farkle at which the first of these is to move, how a step comes to it, and rolls to note. */
async function farkleLog(load, names) {
    await spoken(load, "farkle");
    const { Log } = await load("log.svelte.ts");
    const log = new Log(() => names);
    const view = { game: "farkle", turn_of: 0, state: "" };
    const frame = (step, events = []) => ({ step, by: null, events, view });
    const note = (number, one) => {
        const step = { ...one, number };
        return log.note(step, { steps: [step], view });
    };
    return { log, note, frame, view };
}

/** A seat at a table whose line was closed, because nobody is signed in: the hall is being asked for an account. */
async function refused(load) {
    const sockets = [];
    let answer;
    globalThis.WebSocket = class {
        constructor() {
            sockets.push(this);
        }
        close() {}
    };
    globalThis.fetch = () => new Promise((resolve) => (answer = resolve));
    window.setTimeout = (what) => void what(); // at once
    const { server } = await load("server.ts");
    const seat = server.sit("table", { line() {} });
    sockets[0].onclose({ code: 4401, reason: "" });
    const signedIn = () => {
        answer({ ok: true, status: 200, json: async () => ({}) });
        return new Promise((resolve) => setTimeout(resolve));
    };
    return { sockets, seat, signedIn };
}

/** Whatever is waited for from now on comes when the time that is given has passed. */
function clock() {
    mock.timers.enable({ apis: ["setTimeout"] });
    window.setTimeout = setTimeout;
    return (time) => mock.timers.tick(time);
}

/** Dice that wait for a hand: what happens above them, how often they were thrown, and the end of it. */
async function hand(load) {
    const { throwing } = await load("throwing.ts");
    const over = new EventTarget();
    let rolls = 0;
    const away = throwing(() => rolls++)(over);
    return {
        area: (name, about) => over.dispatchEvent(Object.assign(new Event(name), about)),
        rolls: () => rolls,
        away,
    };
}

async function opponent(load) {
    const { speaking } = await load("voice.svelte.ts");
    return speaking({ id: "table", player: "level:3", seat: ME, language: "en" });
}

/** What an opponent who has not spoken yet says something about. */
async function heard(load, events, view = VIEW) {
    const voice = await opponent(load);
    voice.hear({ number: 8, events }, view);
    return voice.occasion;
}

/** The parts of a browser that the library asks for. */
function device() {
    const window = new EventTarget();
    const kept = new Map();
    const at = { time: 0, send: (name, about) => window.dispatchEvent(Object.assign(new Event(name), about)) };
    const browser = {
        navigator: { languages: ["en"] },
        localStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) },
        matchMedia: () => ({ matches: false }),
        addEventListener: window.addEventListener.bind(window),
        removeEventListener: window.removeEventListener.bind(window),
        window: {},
        scrollTo() {},
        location: { hash: "", href: "http://hall/" },
        history: {
            state: null,
            replaceState(state, _, address) {
                history.state = state;
                location.hash = address;
            },
        },
        document: {
            documentElement: { lang: "en" },
            visibilityState: "visible",
            addEventListener() {},
            removeEventListener() {},
        },
    };
    for (const [name, value] of Object.entries(browser))
        Object.defineProperty(globalThis, name, { value, configurable: true });
    performance.now = () => at.time;
    mock.timers.reset();
    return at;
}

const cacheDir = mkdtempSync(join(tmpdir(), "dicehall-library-")); // one that two runs share breaks both
process.on("exit", () => rmSync(cacheDir, { recursive: true, force: true }));
const server = await createServer({
    cacheDir,
    server: { middlewareMode: true, ws: false, watch: null },
    appType: "custom",
    logLevel: "error",
});
const failed = {};
for (const [name, test] of Object.entries(tests)) {
    const at = device();
    server.moduleGraph.invalidateAll(); // what was loaded remembers another device
    await test((file) => server.ssrLoadModule(`/src/lib/${file}`), at).catch((error) => (failed[name] = error.stack));
}
for (const [name, why] of Object.entries(failed)) console.error(`${name}: ${why}\n`);
console.log(`${Object.keys(tests).length} tests, ${Object.keys(failed).length} failed`);
process.exit(Object.keys(failed).length ? 1 : 0);
