// Loaded into the program before it: kills it at the n-th of the calls by which it changes anything, before the call is
// made or after it returned. Nothing of the program knows of it.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync, StatementSync } from "node:sqlite";

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

const { ESPALIER_DIES_AT: at = "" } = process.env;
delete process.env["ESPALIER_DIES_AT"];
const [wanted, side] = [Number.parseInt(at, 10), at.endsWith("a") ? "after" : "before"];
let count = 0;

/** Opening a file to read it changes nothing, and is done by the thousand. */
function changes(call: string, [, flags = "r"]: readonly unknown[]): boolean {
  const { O_WRONLY, O_RDWR } = fs.constants;
  return (
    call !== "openSync" || (typeof flags === "number" ? (flags & (O_WRONLY | O_RDWR)) !== 0 : flags !== "r")
  );
}

function mortal(call: Call, name: string): Call {
  return function (this: unknown, ...args) {
    if (!changes(name, args)) return call.apply(this, args);
    const dies = ++count === wanted;
    if (dies && side === "before") process.kill(process.pid, "SIGKILL");
    const result = call.apply(this, args);
    if (dies) process.kill(process.pid, "SIGKILL");
    return result;
  };
}

function arm(owner: object, name: string): void {
  const methods = owner as Record<string, Call>;
  methods[name] = mortal(methods[name]!, name);
}

if (wanted > 0) {
  for (const name of FILE_CALLS) arm(fs, name);
  arm(childProcess, "spawn");
  arm(DatabaseSync.prototype, "exec");
  arm(StatementSync.prototype, "run");
  arm(process.stdout, "write");
  syncBuiltinESMExports();
}
