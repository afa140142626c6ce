import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { attemptName } from "../../../src/adapters/local/state-files.ts";
import { callerOf } from "../../../src/cli/caller.ts";
import type { Io } from "../../../src/cli/io.ts";
import { findProject } from "../../../src/host/project/project.ts";
import { call } from "../../../src/mcp/index.ts";
import { leadDuties } from "../../../src/mcp/lead.ts";
import { ROUTES } from "../../../src/server/routes.ts";
import { openLab } from "../lab.ts";
import { openRepositoryLab, type RepositoryLab } from "../repository/lab.ts";
import { leaks, ONE_LINE, plantCanaries, SECRET_ENV, written } from "./canaries.ts";
import { CANARY_AGENT } from "./canary-agent.ts";

/** What was written to one place, by a name for people. */
type Places = Map<string, Uint8Array>;

const texts = (found: Readonly<Record<string, string>>): Places =>
  new Map(Object.entries(found).map(([place, text]) => [place, Buffer.from(text)]));

/** Everything that is sent to an address of this machine, as long as it is listened to. */
async function listening() {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (piece: string) => heard.push(piece));
    request.on("end", () => response.end());
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  return {
    heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(() => resolve())),
  };
}

const lessons = `.espalier/memory/attempts/${attemptName("T1.1", 1)}.md`;
const TASKS = `# S

## Context

- ctx-root: docs/spec.md
  - ctx-api

## Phase 0: prepare

### [ ] T0.1: describes it with them
- fills: ctx-api
- run: |
    echo "# API"; cat $LAB/agent/line.txt

## Phase 1: p

### [ ] T1.1: says them in pieces, fails with them, and leaves lessons
- run: |
    node $LAB/agent/split.mjs stdout
    node $LAB/agent/split.mjs stderr
    [ -e $LAB/agent/told ] || { echo "- lesson: "; cat $LAB/agent/line.txt; } > $LAB/${lessons}
    touch $LAB/agent/told left.txt
    cat $LAB/agent/line.txt >&2
    exit 1

### [ ] T1.2: completes with them as its answer, and adds them to what others read
- context: ctx-api
- run: |
    echo x > made.txt
    cat $LAB/agent/line.txt; node $LAB/agent/split.mjs stdout
    echo '[ADD_CONTEXT:ctx-api]'; cat $LAB/agent/line.txt; echo; echo '[/ADD_CONTEXT]'

### [ ] T1.3: is checked by what says them
- run: echo y > also.txt
- verify: node $LAB/agent/split.mjs stdout; cat $LAB/agent/line.txt >&2; exit 1

### [ ] T1.4: reads what the others said
- depends_on: [T1.2]
- context: ctx-api
- run: |
    cat "$ESPALIER_CONTEXT" > $LAB/agent/heard.txt

### [ ] T1.5: says them over a protocol
- agent: puppet
- context: ctx-api

### [ ] T1.6: dies of them
- agent: doomed
- context: ctx-api
`;

function config(webhook: string): string {
  return `maxAttempts: 4
backoff: { first: 0s }
env: [LAB, FIRST_*, SECOND_*, THIRD_*, FOURTH_*, DATABASE_*]
agents:
  puppet: { acp: "/bin/sh -c 'exec ${process.execPath} $LAB/agent/acp.mjs'", permissions: deny }
  doomed: { acp: "/bin/sh -c 'exec ${process.execPath} $LAB/agent/acp.mjs dies'", permissions: deny }
notify:
  webhook: ${webhook}
  command: echo "$ESPALIER_NOTICE $ESPALIER_NOTICE_TEXT" >> "$LAB/agent/notices.txt"
`;
}

const VIEWS = [
  ["status"],
  ["status", "--json"],
  ...["T0.1", "T1.1", "T1.2", "T1.3", "T1.5", "T1.6"].flatMap(id => [
    ["task", "show", id],
    ["task", "show", id, "--json"],
  ]),
  ["context", "tree", "--json"],
  ["context", "show", "fill-T0.1"],
  ["context", "receipt", "T1.4", "--json"],
  ["context", "log"],
  ["checkpoint", "list", "--json"],
  ["checkpoint", "show"],
  ["budget", "--json"],
  ["budget", "cache", "list", "--json"],
];

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "/api/task": ["T0.1", "T1.1", "T1.2", "T1.3", "T1.5", "T1.6"].map(id => `id=${id}`),
  "/api/log": ["T1.1", "T1.5", "T1.6"].map(id => `task=${id}&attempt=1`),
  "/api/changes": ["task=T1.2&attempt=1"],
  "/api/version": ["label=fill-T0.1&version=1"],
  "/api/compare": ["label=fill-T0.1&from=1&to=1"],
  "/api/checkpoint": ["id=chk-001"],
  "/api/checkpoints/compare": ["from=chk-001&to=chk-001"],
};

/** What a dashboard answers and sends: the stream is read from its beginning, the answers when `ask` is called. */
async function looking(link: string) {
  const { origin, hash } = new URL(link);
  const headers = { authorization: `Bearer ${hash.slice("#token=".length)}` };
  const get = (path: string) => fetch(`${origin}${path}`, { headers });
  let streamed = "";
  const follow = async (path: string): Promise<void> => {
    const { body } = await get(path);
    const decoder = new TextDecoder();
    for await (const piece of body ?? []) streamed += decoder.decode(piece as Uint8Array, { stream: true });
  };
  const ended = Promise.allSettled(
    ["/api/stream", "/api/stream?task=T1.1", "/api/stream?task=T1.5"].map(follow),
  );
  return {
    ended,
    streamed: () => streamed,
    async ask(): Promise<Record<string, string>> {
      const paths = [
        "/api/run",
        ...Object.keys(ROUTES).flatMap(path => (QUERIES[path] ?? [""]).map(query => `${path}?${query}`)),
      ];
      const answers = await Promise.all(
        paths.map(async path => [path, await (await get(path)).text()] as const),
      );
      return Object.fromEntries(answers);
    },
  };
}

const isMasked = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes("[redacted]");

const LED = `# Led

## Context

- ctx-root: docs/spec.md
  - ctx-api

## Phase 1: p

### [ ] T1.1: describes it
- fills: ctx-api

### [ ] T1.2: fails, and completes
- context: ctx-api
- depends_on: [T1.1]

### [ ] T1.3: is proved by what says them
- depends_on: [T1.1]
- context: ctx-api
- verify: node $LAB/agent/split.mjs stdout; cat $LAB/agent/line.txt >&2; exit 1
`;

/** The signal that a prompt asks for. */
const signalIn = (prompt: string): string => /(T[\w.-]+#[a-z0-9]+)/.exec(prompt)?.[1] ?? "";

interface Run {
  readonly lab: RepositoryLab;
  readonly terminal: string;
  readonly streamed: string;
  readonly answers: Readonly<Record<string, string>>;
  readonly webhook: readonly string[];
}

/** Code that Node keeps compiled, which holds the words of the mask itself. */
const isCompiled = (path: string): boolean => /\/\.cache\/espalier\/[^/]+\/v/.test(path);

/** Where no word of others stands, masked or not. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  "messages, branches and notes in git",
  "home, with what outlives a project",
]);

/** Every sink of a run, and how what reached it is read. */
const SINKS: Readonly<Record<string, (run: Run) => Places | Promise<Places>>> = {
  "state folder, database, backup, thin state, logs, packages, checkpoints, memory": ({ lab }) =>
    written(lab.path(".espalier")),
  "home, with what outlives a project": ({ lab }) => written(lab.home),
  terminal: ({ terminal }) => texts({ terminal }),
  "answers of the dashboard": ({ answers }) => texts(answers),
  "stream of the dashboard": ({ streamed }) => texts({ stream: streamed }),
  "notices to an address": ({ webhook }) => texts({ webhook: webhook.join("\n") }),
  "notices to a command": ({ lab }) => texts({ notices: lab.read("agent/notices.txt") }),
  "package of the next agent": ({ lab }) => texts({ heard: lab.read("agent/heard.txt") }),
  "answers of the tools of an attempt": ({ lab }) => texts({ mcp: lab.read("agent/mcp-worker.txt") }),
  "messages, branches and notes in git": ({ lab }) =>
    texts({
      messages: lab.git("log", "--all", "--format=%an %ae %cn %s%n%b%n%N"),
      refs: lab.git("for-each-ref", "--format=%(refname) %(contents)"),
      reflogs: lab.git("reflog", "--all"),
    }),
  "views of the command line": async ({ lab }) => {
    const shown: Record<string, string> = {};
    for (const args of VIEWS) {
      const { stdout, stderr } = await lab.ask(...args);
      shown[args.join(" ")] = stdout + stderr;
    }
    return texts(shown);
  },
};

describe("canaries", { timeout: 300_000 }, () => {
  it("[E43] no form of any secret is in anything that a run writes, shows, sends or hands on", async () => {
    await using hook = await listening();
    await using lab = openRepositoryLab({
      "espalier.yaml": config(hook.url),
      "TASKS.md": TASKS,
      "docs/spec.md": "# Spec\n",
      ".gitignore": ".env\nagent/\n",
    });
    plantCanaries(lab);
    lab.write("agent/acp.mjs", CANARY_AGENT);
    const env = { ...SECRET_ENV, LAB: lab.root };
    Object.assign(lab.env, env);
    const running = lab.start(["run", "--yes", "--dashboard"], { env });
    let said = "";
    const link = Promise.withResolvers<string>();
    for (const stream of [running.child.stdout, running.child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const found = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/.exec(said)?.[0];
        if (found !== undefined) link.resolve(found);
      });
    const page = await looking(await link.promise);
    // It stays after the last phase.
    await running.seen("[CHECKPOINT] chk-002");
    const answers = await page.ask();
    running.signal("SIGINT");
    const { stdout, stderr } = await running.ended;
    await page.ended;
    const run: Run = {
      lab,
      terminal: stdout + stderr,
      streamed: page.streamed(),
      answers,
      webhook: hook.heard,
    };
    for (const [name, read] of Object.entries(SINKS)) {
      const found = await read(run);
      // There was something to be masked.
      const isSpoken = [...found].some(([path, bytes]) => !isCompiled(path) && isMasked(bytes));
      expect({ name, leaks: leaks(found), isSpoken }).toEqual({
        name,
        leaks: [],
        isSpoken: !OWN_WORDS.has(name),
      });
    }
  });

  it("[E43] neither of what a lead is answered, given to start and reports", async () => {
    await using lab = openLab({
      "espalier.yaml": `backoff: { first: 0s }\nenv: [LAB]\n`,
      "TASKS.md": LED,
      "docs/spec.md": "# Spec\n",
    });
    plantCanaries(lab);
    Object.assign(lab.env, SECRET_ENV, { LAB: lab.root });
    const said: string[] = [];
    const stream = {
      isTTY: false,
      write: (text: string) => said.push(text) > 0,
    } as unknown as NodeJS.WriteStream;
    const io: Io = { cwd: lab.root, env: lab.env, stdin: process.stdin, stdout: stream, stderr: stream };
    await lab.ask("mcp", "--approve", "--yes");
    const { duties, close } = leadDuties(callerOf(io), findProject(lab.root), undefined);
    const answers: Record<string, string> = {};
    const ask = async (name: string, input: unknown = {}): Promise<string> => {
      const { text } = await call("lead", duties, name, input);
      answers[`${Object.keys(answers).length} ${name}`] = text;
      return text;
    };
    const start = async (id: string) => lab.read((await ask("start_task", { id })).slice("PROMPT:".length));
    const line = ONE_LINE.slice(0, 1800);
    try {
      const fill = await start("T1.1");
      const [, file = ""] = /(\.espalier\/attempts\/\S+\.document\.md)/.exec(fill) ?? [];
      lab.write(file, `# API\n\n${ONE_LINE}\nDONE:${signalIn(fill)}\n`);
      await ask("report", { id: "T1.1", signal: `DONE:${signalIn(fill)}` });
      const first = await start("T1.2");
      await ask("report", { id: "T1.2", signal: `${line}\nFAIL:${signalIn(first)}:${line.slice(0, 100)}` });
      const second = await start("T1.2");
      await ask("report", { id: "T1.2", signal: `${line}\nDONE:${signalIn(second)}` });
      const third = await start("T1.3");
      await ask("report", { id: "T1.3", signal: `DONE:${signalIn(third)}` });
      await ask("report", { id: "T1.3", signal: line });
      await start("T1.3");
      await ask("add_context", { node: "ctx-api", text: ONE_LINE });
      for (const name of ["next_tasks", "status", "get_context"]) await ask(name);
      await ask("get_context", { name: "fill-T1.1" });
      await ask("context_pull", { label: "fill-T1.1" });
      await ask("context_ack", { text: line });
      await ask("checkpoint", { why: line.slice(0, 300) });
    } finally {
      await close();
    }
    answers["beside the tools"] = said.join("");
    for (const [name, found] of Object.entries({
      "answers of a lead's tools": texts(answers),
      // Also what it was given to start: the prompts are files there. What the agent has written is its own.
      "state folder and home": new Map([...written(lab.path(".espalier")), ...written(lab.home)]),
      views: texts({ show: (await lab.ask("task", "show", "T1.2", "--json")).stdout }),
    })) {
      expect({ name, leaks: leaks(found), isMasked: [...found.values()].some(isMasked) }).toEqual({
        name,
        leaks: [],
        isMasked: true,
      });
    }
  });
});
