import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Processor time of a whole command, with all that it starts, beside a Node that does nothing, in pairs of one run: milliseconds
 * and times as much, both as medians. Each command is called twice before, as whoever calls it often does. Needs bash.
 * `npm run build && node bench/start-up.ts [pairs]`
 */
const PAIRS = Number(process.argv[2] ?? 41);
const CLI = fileURLToPath(new URL("../bin/espalier.js", import.meta.url));
const SETTINGS = "agent: shell\nverify: npm test\nparallel: 3\nlimits: { wall: 30m }\n";

const around = mkdtempSync(join(tmpdir(), "espalier-bench-"));
const env = { ...process.env, XDG_STATE_HOME: join(around, "state"), XDG_CACHE_HOME: join(around, "cache") };

/** Milliseconds of processor time that a call takes in a folder. */
function cost(folder: string, args: readonly string[]): number {
  const line = [
    "-c",
    'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>/dev/null',
    "time",
    process.execPath,
    ...args,
  ];
  const told = execFileSync("bash", ["-c", `bash "$@" 2>&1`, "bash", ...line], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  const [user = 0, system = 0] = told.trim().split(" ").map(Number);
  return (user + system) * 1000;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

function git(folder: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...args], {
    cwd: folder,
  });
}

/** A project with three tasks that a lead has begun, or that commands have done: in a folder, or in a repository that has their work. */
function project(name: string, settings: string, how: "led" | "done" | "merged" = "led"): string {
  const folder = join(around, name);
  mkdirSync(folder);
  const tasks = [1, 2, 3].map(
    id => `### [ ] T1.${id}: say ${id}\n- ${how === "led" ? "write it down" : "run: true"}\n`,
  );
  writeFileSync(join(folder, "TASKS.md"), ["# Bench\n", "## Phase 1: all\n", ...tasks].join("\n"));
  if (settings !== "") writeFileSync(join(folder, "espalier.yaml"), settings);
  if (how === "merged") {
    git(folder, "init", "--quiet");
    git(folder, "add", "--all");
    git(folder, "commit", "--quiet", "--message", "plan");
  }
  cost(folder, how === "led" ? [CLI, "next"] : [CLI, "run", "--yes"]);
  return folder;
}

/** Prints what a command costs in a folder, beside bare Nodes in pairs. */
function compare(name: string, folder: string, command: string): void {
  const args = [CLI, command];
  for (let warm = 0; warm < 2; warm++) cost(folder, args);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    ours.push(cost(folder, args));
    bare.push(cost(folder, ["-e", "0"]));
  }
  const ratio = median(ours.map((one, at) => one / (bare[at] ?? Number.NaN)));
  const times = `${median(ours).toFixed(0)} ms beside ${median(bare).toFixed(0)} ms of node -e 0`;
  console.log(`${name}: ${command.padEnd(10)} ${times}: ${ratio.toFixed(2)} times`);
}

try {
  for (const [name, settings] of [
    ["plain", ""],
    ["with espalier.yaml", SETTINGS],
  ] as const) {
    const folder = project(name, settings);
    for (const command of ["--version", "status", "plan", "next"]) compare(name, folder, command);
  }
  // With all that a run starts beside itself, and nothing left to do.
  compare("done", project("done", "", "done"), "run");
  const merged = project("in a repository", "phase:\n  merge: auto\n", "merged");
  for (const command of ["status", "next", "run"]) compare("in a repository", merged, command);
} finally {
  rmSync(around, { recursive: true, force: true });
}
