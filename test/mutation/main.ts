/**
 * How many planted mistakes the tests of a room notice: `npm run mutation`, `-- lock guard` for some rooms, `--fresh` to ask
 * about every mutant again, `--static` for those that act while a file is loaded, too; `--share 15` for 15 % of each room's lines, drawn
 * by `--seed`. Survivors are listed by name.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { judged, lineOf, type Report, rowOf } from "./report.ts";
import { ROOMS } from "./rooms.ts";
import { stretchesOf } from "./stretches.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = join(root, "test", "mutation");
const env = { ...process.env, PATH: `${join(root, "node_modules", ".bin")}:${process.env["PATH"]}` };

function run(program: string, args: readonly string[], cwd: string, more: Record<string, string> = {}): void {
  const stdio = ["ignore", "inherit", "inherit"] as const;
  const { status, error } = spawnSync(program, args, { cwd, env: { ...env, ...more }, stdio: [...stdio] });
  if (error !== undefined) process.stderr.write(`${program}: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
}

function time(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function install(): void {
  const installed = join(here, "node_modules", ".package-lock.json");
  if (time(installed) >= time(join(here, "package-lock.json"))) return;
  process.stderr.write("installing the mutation tester: 60 MB, once\n");
  run("npm", ["ci", "--workspaces=false", "--no-audit", "--no-fund"], here);
}

const { values: given, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    fresh: { type: "boolean", default: false },
    static: { type: "boolean", default: false },
    share: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
const unknown = named.filter(one => !Object.hasOwn(ROOMS, one));
if (unknown.length > 0) {
  process.stderr.write(`no room ${unknown.join(", ")}; there are ${Object.keys(ROOMS).join(", ")}\n`);
  process.exit(2);
}
install();
const rooms = named.length > 0 ? named : Object.keys(ROOMS);
const rows: string[] = [];
for (const room of rooms) {
  const reports = join(here, "reports");
  if (given.fresh) rmSync(join(reports, `${room}.incremental.json`), { force: true });
  const stretches =
    given.share === undefined
      ? undefined
      : stretchesOf(ROOMS[room]!.mutate, root, Number(given.share), Number(given.seed));
  run(
    join(here, "node_modules", ".bin", "stryker"),
    ["run", join("test", "mutation", "stryker.config.mjs")],
    root,
    {
      ESPALIER_MUTATION_ROOM: room,
      ...(given.static ? { ESPALIER_STATIC: "1" } : {}),
      ...(stretches === undefined ? {} : { ESPALIER_MUTATION_STRETCHES: stretches.join("\n") }),
    },
  );
  const file = join(reports, `${room}.json`);
  if (!existsSync(file)) throw new Error(`${file} was not written`);
  const report = JSON.parse(readFileSync(file, "utf8")) as Report;
  const { live, outdated } = judged(report);
  process.stdout.write("\nwhat lives unexplained:\n");
  for (const one of live) process.stdout.write(`${lineOf(one)}\n`);
  // What a share left out is not missed in it.
  const missing = stretches === undefined ? outdated : [];
  for (const one of missing) process.stdout.write(`equivalent.ts names what is no longer there: ${one}\n`);
  if (missing.length > 0) process.exitCode = 1;
  rows.push(rowOf(room, report));
}
process.stdout.write(`\n| room | mutants | killed | timed out | survived | not reached | equivalent | score | without texts |
|---|---|---|---|---|---|---|---|---|\n${rows.join("\n")}\n`);
