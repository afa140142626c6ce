import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type CallEnd, callHere, type ProgramCall } from "./call-program.ts";
import type { Answered, Asked } from "./caller.ts";
import { CALLER_VARIABLE } from "./markers.ts";
import type { ProgramStart, Started } from "./start-here.ts";

/** Calls and starts after which a process is thought to make many more. */
const WORTH_IT = 16;
/** How often a caller that died is replaced. */
const MOST_STARTS = 4;

const LOST: CallEnd = { code: undefined, why: "its caller died", stdout: Buffer.alloc(0), stderr: "" };

let asked = 0;
let starts = 0;
let caller: ChildProcess | undefined;
/** Hears what is answered; undefined: the caller has died. True once nothing more is to come. */
type Hear = (answer: Answered | undefined) => boolean;
const pending = new Map<number, Hear>();

/** The small process, where one is worth it; each time it is asked for counts. */
function smallProcess(): ChildProcess | undefined {
  asked += 1;
  if (asked > WORTH_IT) caller ??= startCaller();
  return caller?.connected === true ? caller : undefined;
}

function ask(through: ChildProcess, what: Asked, hear: Hear, undelivered: () => void): void {
  pending.set(what.id, hear);
  // What waits for an answer must not end before it.
  through.channel?.ref();
  through.send(what, error => {
    if (error !== null && pending.delete(what.id)) undelivered();
  });
}

/**
 * Runs a program to its end. Who calls many has a small process do it: starting one costs a process the more the more
 * memory it has. Never rejects.
 */
export function callProgram(call: ProgramCall): Promise<CallEnd> {
  const through = smallProcess();
  if (through === undefined) return callHere(call);
  return new Promise(resolve => {
    const hear = (answer: Answered | undefined) => {
      // Whether it was done nobody knows: as if the program had been killed.
      resolve(answer !== undefined && "end" in answer ? answer.end : LOST);
      return true;
    };
    ask(through, { id: asked, call }, hear, () => resolve(callHere(call)));
  });
}

/**
 * Has the small process start a program, where there is one; false where there is none. `tell` hears how that went and, where it
 * began, how it ended; undefined where the small process has died, and nobody knows.
 */
export function startElsewhere(start: ProgramStart, tell: (what: Started | undefined) => void): boolean {
  const through = smallProcess();
  if (through === undefined) return false;
  const hear = (answer: Answered | undefined) => {
    const what = answer === undefined || "end" in answer ? undefined : answer;
    tell(what);
    return what === undefined || !("pid" in what);
  };
  ask(through, { id: asked, start }, hear, () => tell({ unreachable: true }));
  return true;
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
    child.on("message", (answer: Answered) => {
      if (pending.get(answer.id)?.(answer) === true) pending.delete(answer.id);
      if (pending.size === 0) child.channel?.unref();
    });
    child.once("exit", () => {
      if (caller === child) caller = undefined;
      const all = [...pending.values()];
      pending.clear();
      for (const hear of all) hear(undefined);
    });
    child.unref();
    child.channel?.unref();
    return child;
  } catch {
    return undefined;
  }
}
