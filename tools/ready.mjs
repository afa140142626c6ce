// Makes a fresh clone ready: installs what the lock file names and builds what is older than its sources.
// Runs on any Node from 18 on; everything after it runs on the Node that the lock file brings.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

function run(args, why) {
  process.stderr.write(`${why}: npm ${args.join(" ")}\n`);
  // On an older Node npm warns of every package that asks for a newer one; what runs here is the one that is installed.
  const { status, error } = spawnSync(npm, [...args, "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status === 0) return;
  process.stderr.write(
    `npm ${args[0]} failed${error ? `: ${error.message}` : ""}; its messages are above.\n`,
  );
  process.exit(status ?? 1);
}

function time(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The newest change below a folder. */
function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : time(path));
  }
  return latest;
}

function bundledNode() {
  const version = spawnSync(join(root, "node_modules", ".bin", "node"), ["--version"], {
    encoding: "utf8",
  }).stdout;
  return Number(/^v(\d+)/.exec(version ?? "")?.[1] ?? 0);
}

const packages = join(root, "node_modules");
const installed = join(packages, ".package-lock.json");
// npm ci empties the folder first: through a link, as worktrees have it, that of another checkout.
const isLink = lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
if (!isLink && time(installed) < time(join(root, "package-lock.json")))
  run(["ci", "--no-audit", "--no-fund"], "installing");
if (Math.max(bundledNode(), Number(process.versions.node.split(".")[0])) < 24) {
  process.stderr.write(
    `espalier needs Node 24; this is ${process.version} and none could be installed for this platform.\n`,
  );
  process.exit(6);
}

const built = join(root, "dist", "built");
const inputs = ["src", join("web", "src"), join("web", "public")].map(folder => newest(join(root, folder)));
const files = [
  "tsconfig.build.json",
  "package.json",
  join("tools", "bundle.mjs"),
  join("web", "index.html"),
  join("web", "vite.config.ts"),
];
const sources = Math.max(...inputs, ...files.map(file => time(join(root, file))), time(installed));
if (!existsSync(built) || time(built) < sources) {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  run(["run", "build"], "building");
}
