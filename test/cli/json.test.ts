import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { buildProgram } from "../../src/cli/program.ts";
import type { KnownMachine } from "../../src/fleet/index.ts";
import { createTokenBook, type Hub, type Served, serveHub } from "../../src/hub/index.ts";
import { itWhole } from "../sample.ts";
import { ackOf, context } from "./context/ask.ts";
import { commandOf, PUBLISHED, requirePublished } from "./published.ts";
import { openRepositoryLab } from "./repository/lab.ts";

const published = Object.keys(PUBLISHED.properties).sort();

/** All commands that take `--json`, by their whole names. */
function printers(command: Command, name = ""): string[] {
  const own = command.options.some(({ long }) => long === "--json") ? [name] : [];
  return [...own, ...command.commands.flatMap(one => printers(one, `${name} ${one.name()}`.trim()))];
}

it("[JS1] is published of each command that takes --json, and of no other", () => {
  expect(printers(buildProgram({} as never, () => {})).sort()).toEqual(published);
});

it("[JS1] stands on the page about it, each command once", () => {
  const rows = readFileSync("docs/json.md", "utf8").match(/^\| .+ \| `.+$/gm) ?? [];
  const named = rows.flatMap(row => [...row.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
  expect(named.sort()).toEqual(published);
});

it("[JS2] is published as the types of the program have it", () => {
  const now = execFileSync(process.execPath, ["tools/outputs.mjs", "--print"], {
    encoding: "utf8",
    maxBuffer: 10_000_000,
  });
  const file = readFileSync("docs/output.schema.json", "utf8");
  expect(now === file, "docs/output.schema.json is old: node tools/outputs.mjs writes it").toBe(true);
});

it("[JS3] names what is not as it is published", () => {
  const good = { title: "Job", body: "" };
  requirePublished(["phase", "report", "--json"], JSON.stringify(good));
  for (const wrong of [{ title: "Job" }, { ...good, body: 1 }, { ...good, more: "" }])
    expect(() => requirePublished(["phase", "report", "--json"], JSON.stringify(wrong))).toThrow(
      "espalier phase report --json",
    );
  expect(() => requirePublished(["stop", "--json"], "{}")).toThrow("nothing is published of it");
});

const TASKS = [
  "# Garden",
  "",
  "## Context",
  "",
  "- ctx-root",
  "  - ctx-beds",
  "  - ctx-web",
  "",
  "## Phase 1: Build",
  "",
  "### [ ] T1.1: Beds",
  "- fills: ctx-beds",
  "- run: echo '# Beds'; echo; echo '**Decision**: keep them'",
  "",
  "### [ ] T1.2: Web",
  "- context: ctx-web",
  "- depends_on: [T1.1]",
  "- run: echo made > made.txt",
  "- verify: test -e made.txt",
  "",
  "## Phase 2: Later",
  "",
  "### [ ] T2.1: Not to be had",
  "- context: ctx-web",
  "- run: echo tried; exit 1",
  "",
].join("\n");

const CONFIG = [
  "maxAttempts: 1",
  "agents: { judge: { command: sh judge.sh } }",
  "review: { agent: judge }",
  "notify: { command: cat > told }",
  "phase: { merge: auto }",
  "",
].join("\n");

const JUDGE = '#!/bin/sh\ncat > /dev/null; echo "APPROVE:$ESPALIER_SIGNAL_ID"\n';

/** Commands that need nothing but the run. */
const AFTER = [
  ["status"],
  ["doctor"],
  ["permit"],
  ["agents"],
  ["next"],
  ["task", "show", "T1.2"],
  ["phase", "list"],
  ["phase", "show", "1"],
  ["phase", "report"],
  ["worktrees", "list"],
  ["review", "T1.2", "--yes"],
  ["notify", "test", "--yes"],
  ["context", "publish", "spec", "spec.md"],
  ["context", "show"],
  ["context", "show", "spec"],
  ["context", "update", "spec", "--to", "back"],
  ["context", "log"],
  ["context", "explain"],
  ["context", "teammates", "--all"],
  ["context", "tree"],
  ["context", "receipt", "T1.2"],
  ["context", "revert", "T1.1#1"],
  ["context", "node", "complete", "ctx-web"],
  ["summarize", "spec.md"],
  ["delta", "replay", "spec.md", "--git"],
  ["budget"],
  ["budget", "cache", "list"],
  ["budget", "why", "T1.2", "keep"],
  ["budget", "lint", "spec.md", "TASKS.md"],
  ["budget", "plan", "meta_analysis"],
  ["import", "issues.json"],
  ["import", "issues.json", "--out", "theirs.md", "--write"],
  ["export", "issues.json", "theirs.md"],
  ["checkpoint", "validate"],
  ["checkpoint", "show"],
  ["checkpoint", "doctor"],
  ["checkpoint", "prune", "--dry-run"],
] as const;

/** The machines of a hub that has one. */
async function servedHub(folder: string): Promise<Served> {
  const one: KnownMachine = {
    name: "m1",
    agents: [{ name: "claude", reports: "signal" }],
    labels: ["x"],
    resources: { gpu: { offers: 2, taken: 1 } },
    slots: 2,
    holds: ["o1"],
    silent: 1,
    draining: false,
  };
  const machines = [one];
  const hub = { machines: async () => ({ machines, waiting: ["o2"] }) } as unknown as Hub;
  return serveHub({ hub, host: "127.0.0.1", port: 0, who: createTokenBook(folder).find });
}

itWhole("[JS3] holds for every command on a real run", async () => {
  await using lab = openRepositoryLab({
    "TASKS.md": TASKS,
    "spec.md": "# Spec\n\n- one\n",
    "espalier.yaml": CONFIG,
    "judge.sh": JUDGE,
    "issues.json": JSON.stringify([{ number: 1, title: "Log in", state: "OPEN", body: "" }]),
  });
  const tried = new Set<string>();
  const ask = async (...args: readonly string[]) => {
    const { stdout, stderr } = await lab.ask(...args, "--json");
    expect(stdout, `${args.join(" ")}: ${stderr}`).not.toBe("");
    tried.add(commandOf(args) ?? "");
    return stdout;
  };
  await ask("plan");
  await ask("run", "--dry-run", "--yes");
  const watching = lab.start(["watch", "--json"]);
  await ask("run", "--yes");
  const watched = await watching.ended;
  requirePublished(["watch", "--json"], watched.stdout);
  expect(JSON.parse(watched.stdout.trimEnd().split("\n").at(-1)!)).toMatchObject({ type: "report" });
  tried.add("watch");
  await ask("resume", "--yes");
  for (const args of AFTER) await ask(...args);

  expect(
    await context(lab, ["ack", "back", "--json"], { stdin: ackOf(1, "0/0").replace("GC", "spec") }),
  ).toMatchObject({ code: 0 });
  tried.add("context ack");

  const { id } = JSON.parse(await ask("checkpoint", "create", "--why", "to look back"));
  const { checkpoints } = JSON.parse(await ask("checkpoint", "list"));
  const [first] = checkpoints;
  const { text } = JSON.parse(await ask("checkpoint", "delta", first.id, id));
  lab.write("d.delta.md", text);
  await ask("checkpoint", "apply", "d.delta.md", first.id);
  await ask("checkpoint", "replay", first.id, id);
  lab.write("work.md", (await lab.ask("checkpoint", "show", "--raw", id)).stdout);
  await ask("checkpoint", "merge", "work.md");
  await ask("checkpoint", "merge", "work.md", "--save");
  await ask("checkpoint", "archive");

  const page = lab.start(["dashboard", "--json"]);
  await page.seen("origin");
  page.signal("SIGTERM");
  requirePublished(["dashboard", "--json"], (await page.ended).stdout);
  tried.add("dashboard");

  await lab.ask("hub", "token", "add", "m1", "--state", lab.path(".hub"));
  await ask("hub", "token", "list", "--state", lab.path(".hub"));
  const hub = await servedHub(lab.path(".hub"));
  const { stdout: token } = await lab.ask("hub", "token", "add", "m2", "--run", "--state", lab.path(".hub"));
  const env = { ESPALIER_HUB_TOKEN: token.trim() };
  const list = await lab.askIn(env, "worker", "list", "--hub", hub.url, "--json");
  await hub.close();
  expect(list).toMatchObject({ code: 0, stderr: "" });
  tried.add("worker list");

  expect([...tried].sort()).toEqual(published);
});
