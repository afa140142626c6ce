// Loaded into the program before it: kills it at the n-th of the calls by which it changes anything, before the call is
// made or after it returned, or has a file call fail there. Nothing of the program knows of it.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { STRIKE, type Strike } from "./strike.ts";

type Call = (...args: unknown[]) => unknown;

/** Synchronous calls that change something outside the process. */
const FILE_CALLS = [
  "openSync",
  "writeSync",
  "writeFileSync",
  "appendFileSync",
  "copyFileSync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "rmSync",
  "mkdirSync",
  "truncateSync",
  "ftruncateSync",
  "fsyncSync",
  "fdatasyncSync",
  "chmodSync",
  "fchmodSync",
] as const;

const strike = JSON.parse(process.env[STRIKE] ?? "{}") as Strike;
delete process.env[STRIKE];
let count = 0;
/** One call may be made of others, which are no calls of the program. */
let inside = false;
const { writeFileSync } = fs;

/** Opening a file to read it changes nothing, and is done by the thousand; the first three descriptors are no files. */
function changes(call: string, [first, flags = "r"]: readonly unknown[]): boolean {
  const { O_WRONLY, O_RDWR } = fs.constants;
  if (call === "writeSync") return typeof first !== "number" || first > 2;
  return (
    call !== "openSync" || (typeof flags === "number" ? (flags & (O_WRONLY | O_RDWR)) !== 0 : flags !== "r")
  );
}

function happen(call: string): void {
  if (strike.errno === undefined) process.kill(process.pid, "SIGKILL");
  if (strike.note !== undefined) writeFileSync(strike.note, call);
  throw Object.assign(new Error(`${strike.errno}: injected, ${call}`), { code: strike.errno, syscall: call });
}

function struck(call: Call, name: string): Call {
  return function (this: unknown, ...args) {
    if (inside || !changes(name, args)) return call.apply(this, args);
    const hits = ++count === strike.at || (strike.forever === true && count > strike.at);
    inside = true;
    try {
      if (hits && !strike.after) happen(name);
      const result = call.apply(this, args);
      if (hits) happen(name);
      return result;
    } finally {
      inside = false;
    }
  };
}

function arm(owner: object, name: string): void {
  const methods = owner as Record<string, Call>;
  methods[name] = struck(methods[name]!, name);
}

if (strike.at !== undefined) {
  for (const name of FILE_CALLS) arm(fs, name);
  if (strike.errno === undefined) {
    arm(childProcess, "spawn");
    arm(DatabaseSync.prototype, "exec");
    arm(StatementSync.prototype, "run");
    arm(process.stdout, "write");
  }
  process.on("exit", () => {
    if (count >= strike.at! || strike.note === undefined) return;
    inside = true;
    writeFileSync(strike.note, `${count}`);
  });
  syncBuiltinESMExports();
}
