import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type CallEnd, callHere, type ProgramCall } from "./call-program.ts";
import type { Answered, Asked } from "./caller.ts";
import { CALLER_VARIABLE } from "./markers.ts";

/** Calls after which a process is thought to make many more. */
const WORTH_IT = 32;
/** How often a caller that died is replaced. */
const MOST_STARTS = 4;

const LOST: CallEnd = { code: undefined, why: "its caller died", stdout: Buffer.alloc(0), stderr: "" };

let calls = 0;
let starts = 0;
let caller: ChildProcess | undefined;
const pending = new Map<number, (end: CallEnd) => void>();

/**
 * Runs a program to its end. Who calls many has a small process do it: starting one costs a process the more the more
 * memory it has. Never rejects.
 */
export function callProgram(call: ProgramCall): Promise<CallEnd> {
  calls += 1;
  if (calls > WORTH_IT) caller ??= startCaller();
  const through = caller;
  if (through?.connected !== true) return callHere(call);
  const id = calls;
  return new Promise(resolve => {
    pending.set(id, resolve);
    // What waits for an answer must not end before it.
    through.channel?.ref();
    through.send({ id, call } satisfies Asked, error => {
      if (error !== null && pending.delete(id)) resolve(callHere(call));
    });
  });
}

function startCaller(): ChildProcess | undefined {
  if (starts >= MOST_STARTS || process.platform === "win32") return undefined;
  starts += 1;
  const name = import.meta.url.endsWith(".ts") ? "caller.ts" : "../process/caller.js";
  try {
    const flags = ["--max-semi-space-size=1", "--no-warnings"];
    const child = spawn(process.execPath, [...flags, fileURLToPath(new URL(name, import.meta.url))], {
      cwd: "/",
      env: { [CALLER_VARIABLE]: `${process.pid}` },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    child.on("error", () => {});
    child.on("message", ({ id, end }: Answered) => {
      pending.get(id)?.(end);
      pending.delete(id);
      if (pending.size === 0) child.channel?.unref();
    });
    child.once("exit", () => {
      if (caller === child) caller = undefined;
      // Whether they were done nobody knows: as if the programs had been killed.
      for (const resolve of pending.values()) resolve(LOST);
      pending.clear();
    });
    child.unref();
    child.channel?.unref();
    return child;
  } catch {
    return undefined;
  }
}
