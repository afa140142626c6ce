// Drives the real coding agents against a scripted model: `npm run test:agents`, `-- --all` for the large ones too.
// Installs them on first use, 1.6 GB (2.4 GB with --all), below test/agents; nothing else needs them.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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

function install(folder, listing, args) {
  if (time(join(folder, "node_modules", ".package-lock.json")) >= time(join(folder, listing))) return;
  process.stderr.write(`installing the agents of ${folder.slice(root.length)}: some hundred megabytes\n`);
  const status = run("npm", [...args, "--workspaces=false", "--no-audit", "--no-fund"], folder, true);
  if (status !== 0) process.exit(status);
}

const [first, ...rest] = process.argv.slice(2);
const all = first === "--all";
install(agents, "package-lock.json", ["ci"]);
// Without a lock: some of their platforms' packages are not to be had everywhere, which `npm ci` does not forgive.
if (all) install(join(agents, "tier2"), "package.json", ["install", "--no-package-lock"]);
const config = join("test", "agents", "vitest.config.ts");
const named = all || first === undefined ? rest : [first, ...rest];
process.exit(
  run(join(bin, "vitest"), ["run", "--config", config, ...named], dirname(join(root, "package.json"))),
);
