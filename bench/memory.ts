import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Peak resident memory of the process that conducts a run of 250 and of 1,000 tasks whose work is nothing, five at once,
 * beside a Node that does nothing and wireit on as many scripts. Linux only: elsewhere no process tells its peak.
 * `npm run build && npm install --prefix bench/peers/build-runners && node bench/memory.ts`
 */
const SIZES = [250, 1000];
/** Milliseconds between two looks; the peak only grows, so that the last look misses little. */
const BETWEEN = 10;
const CLI = fileURLToPath(new URL("../bin/espalier.js", import.meta.url));
const WIREIT = fileURLToPath(new URL("./peers/build-runners/node_modules/wireit", import.meta.url));

type Command = readonly [file: string, ...args: string[]];

const ids = (size: number): string[] => Array.from({ length: size }, (_, at) => `T1.${at + 1}`);

function espalier(folder: string, size: number): Command {
  const tasks = ids(size).map(id => `### [ ] ${id}: nothing\n- run: true\n`);
  writeFileSync(join(folder, "TASKS.md"), ["# Bench\n", "## Phase 1: all\n", ...tasks].join("\n"));
  return [process.execPath, CLI, "run", "--yes"];
}

function wireit(folder: string, size: number): Command {
  const all = Object.fromEntries(ids(size).map(id => [id, { command: "true" }]));
  const scripts = Object.fromEntries([...Object.keys(all), "all"].map(name => [name, "wireit"]));
  const wired = { ...all, all: { dependencies: Object.keys(all) } };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", scripts, wireit: wired }));
  return [process.execPath, join(WIREIT, "bin/wireit.js")];
}

/** Megabytes of a process at its most so far; undefined once it is gone. */
function peakOf(pid: number): number | undefined {
  try {
    const told = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return told === undefined ? undefined : Number(told) / 1024;
  } catch {
    return undefined;
  }
}

/** Runs a command in a folder of its own and tells its peak in megabytes. */
async function measure(make: (folder: string) => Command): Promise<string> {
  const around = mkdtempSync(join(tmpdir(), "espalier-bench-"));
  const folder = join(around, "project");
  mkdirSync(folder);
  try {
    const [file, ...args] = make(folder);
    const child = spawn(file, args, {
      cwd: folder,
      env: {
        ...process.env,
        XDG_STATE_HOME: join(around, "state"),
        npm_lifecycle_event: "all",
        npm_package_json: join(folder, "package.json"),
        WIREIT_PARALLEL: "5",
        WIREIT_CACHE: "none",
      },
      stdio: "ignore",
    });
    let peak = 0;
    const look = setInterval(() => {
      peak = Math.max(peak, peakOf(child.pid!) ?? 0);
    }, BETWEEN);
    const code = await new Promise(resolve => child.once("exit", resolve));
    clearInterval(look);
    return code === 0 ? `${peak.toFixed(0)} MB` : `exit ${String(code)}`;
  } finally {
    rmSync(around, { recursive: true, force: true });
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`);
say(
  `node -e 0                 ${await measure(() => [process.execPath, "-e", "setTimeout(() => {}, 300)"])}`,
);
for (const size of SIZES) {
  const label = (name: string) => `${name}, ${size} tasks`.padEnd(25);
  say(`${label("espalier")} ${await measure(folder => espalier(folder, size))}`);
  if (existsSync(WIREIT)) say(`${label("wireit")} ${await measure(folder => wireit(folder, size))}`);
}
if (!existsSync(WIREIT)) say("wireit is not installed: npm install --prefix bench/peers/build-runners");
