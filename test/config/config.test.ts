import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Config, configSchema, defaultConfig, readConfig } from "../../src/config/index.ts";
import { growth, LINEAR } from "../growth.ts";

function read(text: string): Config {
  const config = readConfig(text);
  if (!config.ok) throw new Error(JSON.stringify(config.failure));
  return config.value;
}

/** The first problem as `line:column message | hint`. */
function problem(text: string): string {
  const config = readConfig(text);
  if (config.ok) return "none";
  const [first] = config.failure;
  return `${first?.line}:${first?.column} ${first?.message} | ${first?.hint}`;
}

describe("espalier.yaml", () => {
  it("has a default for every key", () => {
    for (const text of ["", "# nothing\n", "---\n", "{}", "\ufeff", "\r\n"])
      expect(read(text)).toEqual(defaultConfig());
    expect(defaultConfig()).toMatchObject({
      locale: "en",
      stateDir: ".espalier",
      agent: "shell",
      maxAttempts: 10,
      sameError: 3,
      phaseGate: 0.9,
      backoff: { first: 1000, max: 60_000 },
      limits: { wall: 3_600_000, idle: 600_000, grace: 10_000, log: 200 * 1024 ** 2 },
      heartbeat: 30_000,
      contextWindow: 200_000,
      signals: "nonce",
      plan: "reconcile",
    });
  });

  it("has defaults that are plain data, and reads a file by the keys it names as by all", () => {
    expect(JSON.parse(JSON.stringify(defaultConfig()))).toEqual(defaultConfig());
    for (const text of [
      "locale: ko",
      "limits: { wall: 2h }\nagent: a",
      "budget: { maxTokens: 5 }",
      "phaseGate: 2",
    ]) {
      const whole = configSchema().safeParse(parse(text));
      const found = readConfig(text);
      expect(found.ok ? found.value : undefined).toEqual(whole.data);
    }
  });

  it("reads every key", () => {
    const config = read(
      [
        "locale: ko",
        "tasks: plan/TASKS.md",
        "stateDir: .claude",
        "agent: careful",
        "command: my-agent --flag",
        "agents: { careful: { command: other } }",
        "fallback: [careful]",
        "on: https://hub.example/pool",
        'quota: { patterns: ["allowance * used up"] }',
        "roles: { 백엔드: careful }",
        "parallel: declared",
        "maxAttempts: 2",
        "sameError: 0",
        "phaseGate: 1",
        "backoff: { first: 0s, max: 1.5m }",
        "limits: { wall: 2h, idle: 90s, grace: 250ms, log: 64KB }",
        "signals: plain",
        "verify: npm test",
        "test: npm test",
        "tdd: refactor",
        "git: { worktrees: off, target: main, landing: merge, conflicts: person, branches: keep }",
        "worktree: { setup: [npm ci], copy: [.env], link: [data] }",
        "phase: { verify: npm test, merge: auto }",
        "review: { command: ./judge.sh, rounds: 0, required: true }",
        "notify: { slack: off, webhook: 'https://example.org/x', command: tell }",
        "env: [ANTHROPIC_*, FOO]",
        "contextWindow: 1000",
        "heartbeat: 1s",
        "plan: frozen",
      ].join("\r\n"),
    );
    expect(config).toMatchObject({
      roles: { 백엔드: "careful" },
      parallel: "declared",
      backoff: { first: 0, max: 90_000 },
      limits: { wall: 7_200_000, idle: 90_000, grace: 250, log: 65_536 },
      env: ["ANTHROPIC_*", "FOO"],
    });
    expect(Object.keys(config).sort()).toEqual(Object.keys(configSchema().shape).sort());
  });

  it.each([
    ["paralel: 3", '1:1 unknown key "paralel" | did you mean "parallel"?'],
    ["locale: en\n\nstateDIR: x", '3:1 unknown key "stateDIR" | did you mean "stateDir"?'],
    ["limits:\n  wal: 3s", '2:3 limits: unknown key "wal" | did you mean "wall"?'],
    ["context: { package: { nope: 1 } }", '1:23 context.package: unknown key "nope" | known keys: tokens, '],
    [
      "context: { points: { nope: 1 } }",
      '1:22 context.points: unknown key "nope" | known keys: IP-001, IP-002, ',
    ],
    [
      "limits: { timeout: 3s }",
      '1:11 limits: unknown key "timeout" | known keys: wall, idle, grace, question, log',
    ],
    ["agents:\n  a: { command: x, flag: y }", '2:20 agents.a: unknown key "flag" | known keys: command'],
    ["xyzzy: 1", '1:1 unknown key "xyzzy" | known keys: locale, tasks,'],
    ["__proto__: 1", '1:1 unknown key "__proto__" | known keys: '],
    ["constructor: 1", '1:1 unknown key "constructor" | known keys: '],
    ["<<: { locale: ko }", '1:1 unknown key "<<" | known keys: '],
    ['"\\e[31m\\u202e": 1', '1:1 unknown key "\\x1b[31m\\u{202e}" | known keys'],
  ])("points at an unknown key: %j", (text, expected) => {
    expect(problem(text)).toContain(expected);
  });

  it.each([
    ["language", "locale"],
    ["lang", "locale"],
    ["model", "agents.NAME.model"],
    ["permissions", "agents.NAME.permissions"],
    ["concurrency", "parallel"],
    ["max_workers", "parallel"],
    ["timeout", "limits.wall"],
    ["tests", "test"],
    ["check", "verify"],
    ["maxRetries", "maxAttempts"],
    ["sandbox", "jail.use"],
    ["baseBranch", "git.target"],
    ["taskFile", "tasks"],
    ["maxTokens", "budget.maxTokens"],
    ["merge", "phase.merge"],
    ["setup", "worktree.setup"],
    ["webhook", "notify.webhook"],
  ])("proposes for another word, or one that stands deeper, the key that is meant: %s", (word, key) => {
    expect(problem(`${word}: 3`)).toBe(`1:1 unknown key "${word}" | did you mean "${key}"?`);
    const [top = "", deeper] = key.split(".");
    expect(Object.keys(configSchema().shape)).toContain(top);
    // An agent has a name of the reader's own.
    const of = top === "agents" ? "{ NAME: { model: [] } }" : `{ ${deeper ?? "nope"}: { nope: [] } }`;
    const known = deeper === undefined ? "" : problem(`${top}: ${of}`);
    expect(known).not.toContain("unknown key");
  });

  it.each([
    ["locale: fr", '1:9 locale: Invalid option: expected one of "en"|"ko"'],
    ["locale: [en]", "1:9 locale: Invalid option"],
    ["agent: 5", '1:8 agent: expected text such as "5", found 5'],
    ["agent: ''", "1:8 agent: Too small"],
    ["roles: { a: 3 }", '1:13 roles.a: expected text such as "3", found 3'],
    ["agents: { a: {} }", "1:14 agents.a: is not a known agent: give it a command, acp or preset"],
    ["agents: { a: claude }", '1:14 agents.a: expected a mapping such as { key: value }, found "claude"'],
    ["worktree: { setup: npm ci }", '1:20 worktree.setup: expected a list such as [npm ci], found "npm ci"'],
    [
      'worktree: { setup: "npm ci, npm test" }',
      'worktree.setup: expected a list such as ["npm ci, npm test"], found "npm ci, npm test"',
    ],
    [`worktree: { setup: npm ${"x".repeat(80)} }`, "worktree.setup: expected a list such as [a], found"],
    ["review: { agent: a, required: 1 }", "review.required: expected true or false, found 1"],
    ["roles:", "1:7 roles: expected a mapping such as { key: value }, found nothing"],
    ["parallel: 0", "1:11 parallel: Too small"],
    ["parallel: 1.5", '1:11 parallel: expected a number from 1 to 1000, or "declared"'],
    ["parallel: all", '1:11 parallel: expected a number from 1 to 1000, or "declared"'],
    ["phaseGate: 90", "1:12 phaseGate: Too big"],
    ["limits:\n  wall: 3", "2:9 limits.wall: expected something like 30s, 10m or 1h"],
    ["limits:\n  wall: s", '2:9 limits.wall: expected something like 30s, 10m or 1h, found "s"'],
    ["limits:\n  wall: 0s", "2:9 limits.wall: 0s is too little"],
    ["limits:\n  wall: 0x10s", "2:9 limits.wall: expected something like"],
    ["limits:\n  wall: 1e9s", "2:9 limits.wall: expected something like"],
    ["limits:\n  wall: -1s", "2:9 limits.wall: expected something like"],
    ["limits:\n  wall: 3 days", "2:9 limits.wall: expected something like"],
    ["limits:\n  log: 3s", "2:8 limits.log: expected something like 64KB, 200MB or 1GB"],
    ["heartbeat: 1ms", "1:12 heartbeat: 1ms is too little"],
    ["review: { required: true }", "1:9 review: required: true needs an agent: or a command: that reviews"],
    ["review: { agent: a, command: b }", "1:9 review: agent and command exclude each other"],
    ["review: { agent: lead }", "1:18 review.agent: the name lead is a lead's own"],
    ["review: { agent: a, rounds: 11 }", "1:29 review.rounds: Too big"],
    ["- a", "1:1 expected a mapping such as { key: value }, found a list"],
    ["just text", '1:1 expected a mapping such as { key: value }, found "just text"'],
  ])("points at a wrong value: %j", (text, expected) => {
    expect(problem(text)).toContain(expected);
  });

  it.each([
    ["locale: [en", "or a bracket is not closed | indent it as its neighbours, or close the bracket"],
    ["locale: en\nlocale: ko", "2:1 a key stands here twice | keep one"],
    ["locale: en\n---\nlocale: ko", "2:1 more than one YAML document | take out the line ---"],
    ["agents:\n  a:\n    command: sh -c 'echo a: b'", '3:14 a second ": " in one value'],
    ["verify: `npm test`", "1:9 a value begins with a character that YAML keeps for itself"],
    ["git:\n\tbranch: x", "a line is indented with a tab | indent with blanks"],
    ["locale: en\nverify: sh -c 'npm test # all'", "2:9 a # behind a blank cuts this value"],
    ['verify: "npm test', "a quote or bracket is not closed"],
    ['verify: "a \\d"', "a backslash in double quotes that YAML has no meaning for"],
    ["verify: !!js/function 'x'", "1:9 Unresolved tag"],
    ["a: &x 1\nb: *x", "YAML aliases are not allowed | write the value out"],
    [
      `a: &a [x,x]\n${Array.from({ length: 9 }, (_, n) => `b${n}: &b${n} [*a,*a,*a]`).join("\n")}`,
      "aliases are not allowed",
    ],
    ["[".repeat(100_000), "nested too deeply"],
    ["- ".repeat(100_000), "nested too deeply"],
    ["? ".repeat(100_000), "nested too deeply"],
    [Array.from({ length: 500 }, (_, n) => `${" ".repeat(n)}a:`).join("\n"), "nested too deeply"],
    ["x".repeat(300_000), "longer than 256 KiB"],
  ])("refuses what is not plain YAML", (text, expected) => {
    expect(problem(text)).toContain(expected);
  });

  it.each([
    "locale: [en",
    "a: b: c",
    "a: @b",
    "a: 1\na: 2",
    "a: *x\nb: &x 1",
    "verify: !!js/function 'x'",
    "[".repeat(99),
  ])("says in Korean what is not plain YAML: %j", text => {
    const read = readConfig(text);
    const { korean } = (!read.ok && read.failure[0]) || {};
    for (const words of [korean?.message, korean?.hint]) expect(words).toMatch(/\p{Script=Hangul}/u);
  });

  it.each([
    ["verify: npm test # it's all", "npm test"],
    ["verify: echo it's # all", "echo it's"],
    ["verify: echo don't # it's slow", "echo don't"],
    ["verify: npm test -- \"#fast\" # 'a' b", 'npm test -- "#fast"'],
    ["verify: 'npm test # all' # don't", "npm test # all"],
  ])("takes a comment behind a value for one: %j", (text, verify) => {
    expect(read(text).verify).toBe(verify);
  });

  it.each(["[", "- ", "? "])("refuses %j without end in linear time", unit => {
    expect(growth(25_000, size => unit.repeat(size), problem)).toBeLessThan(LINEAR);
  });

  it("reports several problems, each with its place", () => {
    const config = readConfig("locale: fr\nparallel: 0\nxyz: 1\n");
    expect(config.ok ? [] : config.failure.map(({ line }) => line).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3,
    ]);
  });

  it("finds what is wrong with a budget that is well-formed", () => {
    const read = readConfig(
      "parallel: 2\nbudget:\n  context_budget: { total_available: 1000, allocation: { agent_outputs: 5000 } }\n",
    );
    expect(read).toMatchObject({
      ok: false,
      failure: [{ line: 3, hint: "espalier help budgets has the values it takes" }],
    });
  });

  it("never throws, and pollutes nothing", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: fc.constantFrom(...Array.from("abc:{}[]-?!&*|>'\"# \n\t%@`,")) }),
        ),
        text => {
          readConfig(text);
        },
      ),
      { numRuns: 500 },
    );
    read("agents:\n  __proto__:\n    command: x\n");
    expect(({} as Record<string, unknown>)["command"]).toBeUndefined();
  });
});
