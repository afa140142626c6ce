import { deepStrictEqual, ok as isTrue, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import {
  completed,
  endOf,
  failureOf,
  firstLine,
  listen,
  lives,
  mostKept,
  NEVER,
  type Rule,
  rest,
} from "./agent-bench.ts";

const MIB = 1 << 20;
const STUBBORN = 'trap "" TERM; echo "pid $$"; while :; do sleep 0.1; done';
/** Leaves its group and session and is nobody's child any more. */
const DETACHED = 'command -v setsid >/dev/null && setsid sh -c "echo pid \\$\\$; : > up; exec sleep 60" &';
/** Until what runs beside has said its word. */
const UP = "i=0; until [ -e up ] || [ $i = 200 ]; do i=$((i + 1)); sleep 0.05; done";

/** Every requirement of the Agent port; scripts are POSIX `sh`, some shells run them with `-e` and `pipefail`. */
export const AGENT_RULES: readonly Rule[] = [
  {
    name: "[AG1] probe finds the program, or says what is missing and where it was looked for",
    check: async ({ agent, missing }) => {
      strictEqual(agent.portVersion, 1);
      const found = await agent.probe();
      strictEqual(found.problem, undefined);
      isTrue(found.found);
      const lost = await missing.probe();
      isTrue(!lost.found);
      match(lost.problem ?? "", /\w{5}/);
    },
  },
  {
    name: "[AG2] open of a missing program is a failure value that trying again does not help",
    check: async ({ missing, request }) => {
      const opened = await missing.open(request);
      isTrue(!opened.ok);
      strictEqual(opened.failure.kind, "not-found");
      strictEqual(opened.failure.retryable, false);
    },
  },
  {
    name: "[AG3] a folder that does not exist is a failure value that names it",
    check: async ({ agent, request, folder }) => {
      const cwd = join(folder, "nowhere");
      const opened = await agent.open({ ...request, cwd });
      const failure = opened.ok ? failureOf((await listen(opened.value.turn("do it"))).end) : opened.failure;
      strictEqual(failure.kind, "spawn");
      isTrue(failure.message.includes(cwd));
    },
  },
  {
    name: "[AG4] a turn names its process first, then yields lines, and ends once with exit code and message",
    script: 'echo one; echo two; printf "three"',
    check: async ({ turn, logged, isEncoded }) => {
      const { events, lines, end } = await turn();
      strictEqual(events[0]?.type, "process");
      deepStrictEqual(lines, ["one", "two", "three"]);
      const { finalMessage, exitCode, outputBytes } = completed(end);
      deepStrictEqual([finalMessage, exitCode], ["one\ntwo\nthree", 0]);
      if (isEncoded)
        isTrue(outputBytes > 13 && ["one", "two", "three"].every(word => logged().includes(word)));
      else deepStrictEqual([outputBytes, logged()], [13, "one\ntwo\nthree"]);
    },
  },
  {
    name: "[AG5] an exit code other than 0 is no failure of the agent: it is reported",
    needs: "exit-code",
    script: "echo said; exit 7",
    check: async ({ turn }) => {
      const end = completed((await turn()).end);
      strictEqual(end.exitCode, 7);
      isTrue(end.finalMessage.startsWith("said"));
    },
  },
  {
    name: "[AG6] a process that dies of a signal is a failure `killed` that names it",
    script: "echo said; kill -KILL $$",
    check: async ({ turn }) => {
      const { end } = await turn();
      const failure = failureOf(end);
      deepStrictEqual([failure.kind, failure.signal, failure.retryable], ["killed", "SIGKILL", true]);
      isTrue(end.finalMessage.includes("said"));
    },
  },
  {
    name: "[AG7] the process works in the request's folder with the request's environment and the attempt's marks, no more",
    script: 'pwd -P; echo "$GREETING $ESPALIER_TASK $ESPALIER_ATTEMPT [$HOME]"',
    check: async ({ turn, folder, request }) => {
      deepStrictEqual((await turn()).lines, [folder, `salut T1.3 ${request.token} []`]);
    },
  },
  {
    name: "[AG8] stdout and stderr are told apart",
    script: "echo out; echo err >&2",
    check: async ({ turn }) => {
      const { events } = await turn();
      const said = events.flatMap(event => (event.type === "line" ? [`${event.stream} ${event.text}`] : []));
      deepStrictEqual(said.sort(), ["stderr err", "stdout out"]);
    },
  },
  {
    name: "[AG9] characters split over writes are whole, `\\r\\n` ends a line, bad bytes become U+FFFD",
    script: "printf 'a\\303'; sleep 0.05; printf '\\251b\\r\\n\\377c\\n'",
    check: async ({ turn }) => {
      deepStrictEqual((await turn()).lines, ["aéb", "\ufffdc"]);
    },
  },
  {
    name: "[AG10] a line without end is broken at 4,096 characters and counted to the last byte",
    script: "head -c 1000000 /dev/zero | tr '\\0' x",
    check: async ({ turn, isEncoded }) => {
      const { lines, end } = await turn();
      isTrue(lines.length >= 1_000_000 / 4096);
      isTrue(lines.every(line => line.length <= 4096));
      const { outputBytes } = completed(end);
      isTrue(isEncoded ? outputBytes > 1_000_000 : outputBytes === 1_000_000);
    },
  },
  {
    name: "[AG11] binary output does no harm",
    script: "head -c 2000000 /dev/urandom",
    check: async ({ turn, isEncoded }) => {
      const { lines, end } = await turn();
      isTrue(lines.every(line => line.length <= 4096));
      const { outputBytes } = completed(end);
      isTrue(isEncoded ? outputBytes > 2_000_000 : outputBytes === 2_000_000);
    },
  },
  {
    name: "[AG12] a flood is read in bounded memory, its end is the final message, the log stops with a note",
    script: "{ yes 0123456789abcdef | head -c $FLOOD; } || echo; echo last words",
    limits: { logBytes: 10_000 },
    check: async ({ session, logged, request }) => {
      const [end, kept] = await mostKept(async () => endOf((await session()).turn("do it")));
      isTrue(kept < 64 * MIB, `${Math.round(kept / MIB)} MiB were kept of the flood`);
      const { finalMessage, outputBytes } = completed(end);
      isTrue(outputBytes >= Number(request.env["FLOOD"]));
      isTrue(finalMessage.length <= 1 << 16 && finalMessage.length > 60_000);
      isTrue(finalMessage.endsWith("last words\n"));
      isTrue(logged().length > 10_000 && logged().length < 10_500);
    },
  },
  {
    name: "[AG13] a reader that takes its time does not make the agent wait, nor memory grow",
    script: "{ yes 0123456789abcdef | head -c 20971520; } || echo; echo done",
    check: async ({ session }) => {
      const events = (await session()).turn("do it")[Symbol.asyncIterator]();
      await events.next();
      await new Promise(resolve => setTimeout(resolve, 300));
      const { end, lines } = await rest(events);
      isTrue(completed(end).finalMessage.endsWith("done\n"));
      isTrue(lines.join("\n").length < 8 * MIB, "everything was kept for the reader");
    },
  },
  {
    name: "[AG14] a turn over its wall-clock limit is ended",
    script: "while :; do echo tick; sleep 0.05; done",
    limits: startMs => ({ wallMs: 1_000 + 2 * startMs, graceMs: NEVER }),
    check: async ({ turn, request }) => {
      const { end, ms } = await turn();
      strictEqual(failureOf(end).kind, "wall-clock");
      isTrue(ms >= request.limits.wallMs - 10, `${ms} ms`);
      isTrue(end.finalMessage.includes("tick"));
    },
  },
  {
    name: "[AG15] a turn that is silent for too long is ended, one that speaks is not",
    // It speaks for longer than it may be silent.
    script: "for i in 1 2 3 4 5 6; do echo $i; sleep $PAUSE; done; sleep 60",
    limits: startMs => ({ idleMs: 1_000 + 2 * startMs, graceMs: NEVER }),
    check: async ({ turn, request }) => {
      const { end, lines, ms } = await turn();
      strictEqual(failureOf(end).kind, "idle");
      strictEqual(lines.length, 6);
      isTrue(ms >= 2.2 * request.limits.idleMs, `${ms} ms`);
    },
  },
  {
    name: "[AG16] what ignores SIGTERM gets SIGKILL after the grace",
    script: STUBBORN,
    limits: { graceMs: 300 },
    check: async ({ session }) => {
      const open = await session();
      const events = open.turn("do it")[Symbol.asyncIterator]();
      const pid = Number(await firstLine(events, "pid "));
      const began = performance.now();
      await open.cancel("soft");
      const ms = performance.now() - began;
      isTrue(!lives(pid));
      isTrue(ms >= 290, `${ms} ms`);
      strictEqual(failureOf((await rest(events)).end).kind, "cancelled");
    },
  },
  {
    name: "[AG17] a soft cancel lets the process end in its own way",
    script: 'trap "echo cleaned up; exit 0" TERM; echo "pid $$"; while :; do sleep 0.05; done',
    limits: { graceMs: NEVER },
    check: async ({ session }) => {
      const open = await session();
      const events = open.turn("do it")[Symbol.asyncIterator]();
      await firstLine(events, "pid ");
      await open.cancel("soft");
      const { lines, end } = await rest(events);
      isTrue(lines.includes("cleaned up"));
      strictEqual(failureOf(end).kind, "cancelled");
    },
  },
  {
    name: "[AG18] a hard cancel does not wait, also after a soft one; cancelling and closing again does nothing",
    script: STUBBORN,
    limits: { graceMs: NEVER },
    check: async ({ session }) => {
      const open = await session();
      const events = open.turn("do it")[Symbol.asyncIterator]();
      const pid = Number(await firstLine(events, "pid "));
      const soft = open.cancel("soft");
      await Promise.all([open.cancel("hard"), soft]);
      isTrue(!lives(pid));
      strictEqual(failureOf((await rest(events)).end).kind, "cancelled");
      await open.cancel("soft");
      await Promise.all([open.close(), open.close()]);
      await open.cancel("hard");
    },
  },
  {
    name: "[AG19] close ends what runs; a turn after it is cancelled at once",
    script: 'echo "pid $$"; exec sleep 60',
    check: async ({ session }) => {
      const open = await session();
      const events = open.turn("do it")[Symbol.asyncIterator]();
      const pid = Number(await firstLine(events, "pid "));
      await open.close();
      isTrue(!lives(pid));
      strictEqual(failureOf((await rest(events)).end).kind, "cancelled");
      strictEqual(failureOf((await listen(open.turn("again"))).end).kind, "cancelled");
    },
  },
  {
    name: "[AG20] leaving a turn's events early ends the turn",
    script: 'echo "pid $$"; exec sleep 60',
    check: async ({ session }) => {
      const open = await session();
      let pid = 0;
      for await (const event of open.turn("do it")) {
        if (event.type !== "line") continue;
        pid = Number(event.text.slice(4));
        break;
      }
      await open.cancel("soft");
      isTrue(pid > 0 && !lives(pid));
    },
  },
  {
    name: "[AG21] a background process that holds the output does not hold up the end, and is ended",
    needs: "turn-process",
    script: `sh -c "echo pid \\$\\$; : > up; exec sleep 600" & ${UP}; echo done`,
    check: async ({ turn }) => {
      const { lines, end } = await turn();
      strictEqual(completed(end).exitCode, 0);
      isTrue(!lives(Number(lines.find(line => line.startsWith("pid "))?.slice(4))));
    },
  },
  {
    name: "[AG22] a process that detached itself is ended with the turn, and people are told",
    needs: "turn-process",
    script: `${DETACHED} ${UP}; echo done`,
    check: async ({ turn }) => {
      const { lines, end } = await turn();
      strictEqual(completed(end).exitCode, 0);
      const pid = Number(lines.find(line => line.startsWith("pid "))?.slice(4));
      isTrue(!lives(pid));
      isTrue(lines.some(line => line.startsWith("[espalier] ") && line.includes(`${pid}`)));
    },
  },
  {
    name: "[AG23] a process that detached itself is ended by a hard cancel",
    needs: "detached",
    script: `${DETACHED} exec sleep 60`,
    check: async ({ session }) => {
      const open = await session();
      const events = open.turn("do it")[Symbol.asyncIterator]();
      const pid = Number(await firstLine(events, "pid "));
      await open.cancel("hard");
      isTrue(!lives(pid));
      await rest(events);
    },
  },
  {
    name: "[AG24] a follow-up turn of the same session works like the first",
    script: "echo round >> rounds; wc -l < rounds | tr -d ' '",
    check: async ({ session }) => {
      const open = await session();
      deepStrictEqual((await listen(open.turn("first"))).lines, ["1"]);
      deepStrictEqual((await listen(open.turn("second"))).lines, ["2"]);
      await open.cancel("soft");
      deepStrictEqual((await listen(open.turn("third"))).lines, ["3"]);
    },
  },
  {
    name: "[AG25] turns asked for at once run one after the other",
    script: "mkdir busy; sleep 0.1; rmdir busy; echo fine",
    check: async ({ session }) => {
      const open = await session();
      const heard = await Promise.all([open.turn("first"), open.turn("second")].map(listen));
      deepStrictEqual(
        heard.map(({ lines }) => lines),
        [["fine"], ["fine"]],
      );
    },
  },
  {
    name: "[AG26] a message of 1 MiB arrives whole",
    needs: "message",
    script: "wc -c | tr -d ' '",
    check: async ({ turn }) => {
      deepStrictEqual((await turn("é".repeat(MIB / 2))).lines, [`${MIB}`]);
    },
  },
  {
    name: "[AG27] a message of 1 MiB that nobody reads does no harm",
    script: "echo done",
    check: async ({ turn }) => {
      deepStrictEqual((await turn("x".repeat(MIB))).lines, ["done"]);
    },
  },
  {
    name: "[AG28] a process that asks for more input than the message finds its end",
    script: "cat > /dev/null; cat > /dev/null; echo done",
    check: async ({ turn }) => {
      deepStrictEqual((await turn("hello\n")).lines, ["done"]);
    },
  },
  {
    name: "[AG29] nothing that a turn left running outlives the session",
    needs: "detached",
    script: `${DETACHED} ${UP}; echo done`,
    check: async ({ session }) => {
      const open = await session();
      const { lines } = await listen(open.turn("do it"));
      await open.close();
      isTrue(!lives(Number(lines.find(line => line.startsWith("pid "))?.slice(4))));
    },
  },
];
