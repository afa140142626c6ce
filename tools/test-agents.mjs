// Drives the real coding agents against a scripted model: `npm run test:agents`; `-- --all` for the large ones too, and for those
// that Espalier has no code for; `-- --keep` writes down what was seen; `-- --newest` tries the registry's newest versions and says
// what drifted. Installs them on first use, 1.6 GB (4 GB with --all), below test/agents; nothing else needs them.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSeen } from "./agents-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const agents = join(root, "test", "agents");
const bin = join(root, "node_modules", ".bin");
// Which versions npm picks, and what their launchers run on, depends on the Node that is first on PATH.
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };

function time(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function run(program, args, cwd, quiet) {
  const { status, error } = spawnSync(program, args, {
    cwd,
    env,
    stdio: ["ignore", quiet ? "ignore" : "inherit", "inherit"],
  });
  if (error) process.stderr.write(`${program}: ${error.message}\n`);
  return status ?? 1;
}

/** What puts a program in its place that is there without it in name only; no other script of a package is run. */
const PLACED = { "opencode-ai": "postinstall.mjs", "@anthropic-ai/claude-code": "install.cjs" };

function place(folder) {
  for (const [name, script] of Object.entries(PLACED)) {
    const own = join(folder, "node_modules", name);
    if (time(join(own, script)) > 0) run(process.execPath, [script], own, true);
  }
}

function install(folder, listing, args) {
  if (time(join(folder, "node_modules", ".package-lock.json")) >= time(join(folder, listing))) return;
  process.stderr.write(`installing the agents of ${folder.slice(root.length)}: some hundred megabytes\n`);
  const status = run("npm", [...args, "--workspaces=false", "--no-audit", "--no-fund"], folder, true);
  if (status !== 0) process.exit(status);
  place(folder);
}

/** The packages of all agents, as they are tried. */
function pinned() {
  return ["package.json", "tier2/package.json", "foreign/package.json"].flatMap(path =>
    Object.entries(JSON.parse(readFileSync(join(agents, path), "utf8")).dependencies),
  );
}

/** Installs the newest version of each package in a folder of its own; those that cannot be had are told. */
function installNewest(folder) {
  for (const [name, version] of pinned()) {
    const { stdout } = spawnSync("npm", ["view", name, "version"], { env, encoding: "utf8" });
    const newest = stdout.trim();
    if (newest === "") process.stdout.write(`${name} ${version}: the registry does not tell its newest\n`);
    if (newest === "" || newest === version) continue;
    const own = join(folder, name.replaceAll("/", "+"));
    mkdirSync(own, { recursive: true });
    writeFileSync(
      join(own, "package.json"),
      JSON.stringify({ private: true, dependencies: { [name]: newest } }),
    );
    const options = [
      "--no-package-lock",
      "--workspaces=false",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
    ];
    const status = run("npm", ["install", ...options], own, true);
    place(own);
    const end = status === 0 ? "is tried" : "cannot be installed: the pinned one is tried";
    process.stdout.write(`${name} ${version} → ${newest} ${end}\n`);
  }
}

/** What an agent was seen to do otherwise than when it was kept last. */
function tellDrift(seen) {
  const before = new Map(readSeen().map(one => [one.name, one]));
  for (const { name, date: _, ...now } of readSeen(seen)) {
    const kept = before.get(name);
    if (kept === undefined) {
      const all = Object.entries(now).map(([key, value]) => `${key}: ${value}`);
      process.stdout.write(`${name}, not kept before: ${all.join(", ")}\n`);
      continue;
    }
    const keys = Object.keys({ ...kept, ...now }).filter(key => key !== "date" && key !== "name");
    const drift = keys.filter(key => kept[key] !== now[key]);
    const said = drift.map(key => `${key}: ${kept[key] ?? "–"} → ${now[key] ?? "failed"}`);
    process.stdout.write(`${name}: ${said.join(", ") || "as before"}\n`);
  }
}

const given = process.argv.slice(2);
const flags = new Set(given.filter(word => ["--all", "--keep", "--newest"].includes(word)));
const named = given.filter(word => !flags.has(word));
const all = flags.has("--all") || flags.has("--newest");
install(agents, "package-lock.json", ["ci"]);
// Without a lock: some of their platforms' packages are not to be had everywhere, which `npm ci` does not forgive.
const loose = ["install", "--no-package-lock", "--ignore-scripts"];
if (all) for (const folder of ["tier2", "foreign"]) install(join(agents, folder), "package.json", loose);
const config = join("test", "agents", "vitest.config.ts");
const tests = ["run", "--config", config];
const vitest = (...more) =>
  run(join(bin, "vitest"), [...tests, ...more], dirname(join(root, "package.json")));

if (flags.has("--newest")) {
  const folder = join(agents, "newest");
  rmSync(folder, { recursive: true, force: true });
  installNewest(folder);
  env.ESPALIER_NEWEST = "1";
  env.ESPALIER_SEEN = join(folder, "seen");
  const status = vitest("contract.real.ts", ...named);
  tellDrift(env.ESPALIER_SEEN);
  process.exit(status);
}
if (flags.has("--keep")) env.ESPALIER_SEEN = join(agents, "seen");
const status = vitest(...named);
if (flags.has("--keep")) run(process.execPath, [join(root, "tools", "agents-page.mjs")], root);
process.exit(status);
