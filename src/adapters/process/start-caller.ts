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

/** The end of a call of which nobody knows whether it was done. */
export const CALL_LOST: CallEnd = {
  code: undefined,
  why: "its caller died",
  stdout: Buffer.alloc(0),
  stderr: "",
};

/** Milliseconds between two questions whether it is there. */
const ASKED_EVERY_MS = 1_000;
/** Questions without an answer after which it is taken for stopped, and for lost. */
const WAKE_AFTER = 3;
const LOST_AFTER = 60;

let unanswered = 0;
let watch: NodeJS.Timeout | undefined;
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

/** The small process, where there is one. */
export function callerPid(): number | undefined {
  return caller?.pid;
}

function ask(through: ChildProcess, what: Asked, hear: Hear, undelivered: () => void): void {
  pending.set(what.id, hear);
  // What waits for an answer must not end before it, nor before it hears that there is none.
  through.ref();
  through.channel?.ref();
  watch ??= watchOver(through);
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
      resolve(answer !== undefined && "end" in answer ? answer.end : CALL_LOST);
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
    const what = answer === undefined || "end" in answer || "isHere" in answer ? undefined : answer;
    tell(what);
    return what === undefined || !("pid" in what);
  };
  ask(through, { id: asked, start }, hear, () => tell({ unreachable: true }));
  return true;
}

/** Nothing is waited for any more. */
function rest(child: ChildProcess): void {
  clearInterval(watch);
  watch = undefined;
  child.unref();
  child.channel?.unref();
}

/** What was asked of it is lost. */
function lose(child: ChildProcess): void {
  if (caller !== child) return;
  caller = undefined;
  rest(child);
  const all = [...pending.values()];
  pending.clear();
  for (const hear of all) hear(undefined);
}

/**
 * Asks it whether it is there while an answer is waited for, as it always says at once: who stopped it alone would have a run wait
 * for ever. Counted by questions and not by the clock, which goes on while this process sleeps.
 */
function watchOver(child: ChildProcess): NodeJS.Timeout {
  unanswered = 0;
  return setInterval(() => {
    unanswered += 1;
    if (unanswered === WAKE_AFTER) child.kill("SIGCONT");
    if (unanswered > LOST_AFTER) {
      child.kill("SIGKILL");
      lose(child);
    } else child.send({ id: 0 } satisfies Asked, () => {});
  }, ASKED_EVERY_MS).unref();
}

function startCaller(): ChildProcess | undefined {
  if (starts >= MOST_STARTS || process.platform === "win32") return undefined;
  starts += 1;
  const name = import.meta.url.endsWith(".ts") ? "caller.ts" : "../process/caller.js";
  try {
    const flags = ["--max-semi-space-size=1", "--no-warnings"];
    const child = spawn(process.execPath, [...flags, fileURLToPath(new URL(name, import.meta.url))], {
      cwd: "/",
      // What a terminal sends to the group of this process (Ctrl+C before it is deaf to that, Ctrl+Z) is not for it.
      detached: true,
      env: { [CALLER_VARIABLE]: `${process.pid}` },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    child.on("error", () => {});
    child.on("message", (answer: Answered) => {
      unanswered = 0;
      if (pending.get(answer.id)?.(answer) === true) pending.delete(answer.id);
      if (pending.size === 0) rest(child);
    });
    child.once("exit", () => lose(child));
    child.unref();
    child.channel?.unref();
    return child;
  } catch {
    return undefined;
  }
}
