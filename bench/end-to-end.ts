import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * 200 tasks in 5 phases whose work is nothing, from the command line to its end, five at once: ours without and with git,
 * beside turbo and wireit on the same graph (each task needs three of the phase before). Best and median of three.
 * `npm run build && npm install --prefix bench/peers/build-runners && node bench/end-to-end.ts [--quick]`
 */
const PHASES = 5;
const WIDTH = 40;
const ROUNDS = process.argv.includes("--quick") ? 1 : 3;
const CAP = 300_000;
const CLI = fileURLToPath(new URL("../bin/espalier.js", import.meta.url));
const PEERS = fileURLToPath(new URL("./peers/build-runners/node_modules", import.meta.url));

const id = (phase: number, n: number): string => `T${phase}.${n}`;
const needs = (phase: number, n: number): string[] =>
  phase === 1 ? [] : [0, 1, 2].map(step => id(phase - 1, (n + step * 7) % WIDTH));
const all = Array.from({ length: PHASES * WIDTH }, (_, at) => ({
  phase: 1 + Math.floor(at / WIDTH),
  n: at % WIDTH,
}));

function taskFile(): string {
  const lines = ["# Bench", ""];
  for (const { phase, n } of all) {
    if (n === 0) lines.push(`## Phase ${phase}: part ${phase}`, "");
    const before = needs(phase, n);
    lines.push(`### [ ] ${id(phase, n)}: nothing`);
    if (before.length > 0) lines.push(`- depends_on: [${before.join(", ")}]`);
    lines.push("- run: true", "");
  }
  return lines.join("\n");
}

function json(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value));
}

const RUNNERS: Readonly<Record<string, (folder: string) => readonly [file: string, ...args: string[]]>> = {
  "espalier, no repository"(folder) {
    writeFileSync(join(folder, "TASKS.md"), taskFile());
    return [process.execPath, CLI, "run", "--yes", "--parallel", "5"];
  },
  "espalier, a branch a phase, every task landed"(folder) {
    writeFileSync(join(folder, "TASKS.md"), taskFile());
    writeFileSync(join(folder, "espalier.yaml"), "phase: { merge: auto }\n");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@b", ...args], { cwd: folder });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "start");
    return [process.execPath, CLI, "run", "--yes"];
  },
  turbo(folder) {
    const workspaces = join(folder, "packages");
    json(join(folder, "package.json"), {
      name: "bench",
      packageManager: "npm@10.0.0",
      workspaces: ["packages/*"],
    });
    json(join(folder, "turbo.json"), { tasks: { job: { dependsOn: ["^job"], cache: false } } });
    const packages: Record<string, unknown> = { "": { name: "bench", workspaces: ["packages/*"] } };
    for (const { phase, n } of all) {
      const name = id(phase, n).toLowerCase().replace(".", "-");
      const dependencies = Object.fromEntries(
        needs(phase, n).map(need => [need.toLowerCase().replace(".", "-"), "*"]),
      );
      mkdirSync(join(workspaces, name), { recursive: true });
      const manifest = { name, version: "1.0.0", scripts: { job: "true" }, dependencies };
      json(join(workspaces, name, "package.json"), manifest);
      packages[`packages/${name}`] = manifest;
      packages[`node_modules/${name}`] = { resolved: `packages/${name}`, link: true };
    }
    json(join(folder, "package-lock.json"), { name: "bench", lockfileVersion: 3, requires: true, packages });
    return [join(PEERS, ".bin/turbo"), "run", "job", "--concurrency=5", "--output-logs=none", "--no-daemon"];
  },
  wireit(folder) {
    const scripts: Record<string, string> = { all: "wireit" };
    const wireit: Record<string, unknown> = {
      all: { dependencies: all.map(({ phase, n }) => id(phase, n)) },
    };
    for (const { phase, n } of all) {
      scripts[id(phase, n)] = "wireit";
      wireit[id(phase, n)] = { command: "true", dependencies: needs(phase, n) };
    }
    json(join(folder, "package.json"), { name: "bench", scripts, wireit });
    return ["npm", "run", "all"];
  },
};

function round(make: (folder: string) => readonly [string, ...string[]]): number | string {
  const around = mkdtempSync(join(tmpdir(), "espalier-bench-"));
  const folder = join(around, "project");
  mkdirSync(folder);
  try {
    const [file, ...args] = make(folder);
    const env = {
      ...process.env,
      PATH: `${join(PEERS, ".bin")}:${process.env["PATH"] ?? ""}`,
      XDG_STATE_HOME: join(around, "state"),
      WIREIT_PARALLEL: "5",
      WIREIT_CACHE: "none",
      TURBO_TELEMETRY_DISABLED: "1",
    };
    const began = performance.now();
    const done = spawnSync(file, args, { cwd: folder, env, encoding: "utf8", timeout: CAP });
    const ms = performance.now() - began;
    if (done.status === 0) return ms;
    if (done.error !== undefined) return done.error.message;
    const said = `${done.stdout}${done.stderr}`.trim().split("\n").at(-1) ?? "";
    return `exit ${done.status ?? done.signal ?? "?"}: ${said.slice(0, 100)}`;
  } finally {
    rmSync(around, { recursive: true, force: true });
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`);
// `npm ci` asks for programs of every platform, which not every registry has.
if (!existsSync(PEERS)) say("peers are not installed: npm install --prefix bench/peers/build-runners");
say(`${PHASES * WIDTH} tasks that do nothing, ${PHASES} phases, five at once; best / median of ${ROUNDS}`);
for (const [name, make] of Object.entries(RUNNERS)) {
  const times = Array.from({ length: ROUNDS }, () => round(make));
  const good = times.filter(time => typeof time === "number").toSorted((a, b) => a - b);
  const told =
    good.length < ROUNDS
      ? String(times.find(time => typeof time === "string"))
      : `${(good[0]! / 1000).toFixed(2)} s / ${(good[Math.floor(ROUNDS / 2)]! / 1000).toFixed(2)} s, ${(good[Math.floor(ROUNDS / 2)]! / all.length) | 0} ms a task`;
  say(`${name.padEnd(48)} ${told}`);
}
