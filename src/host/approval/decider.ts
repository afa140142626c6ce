import { statSync } from "node:fs";
import {
  projectHome,
  readAttempted,
  readWorked,
  rememberSocket,
  type Worked,
  writeAttempted,
  writeWorked,
} from "../../adapters/home/index.ts";
import { bootId } from "../../adapters/lock/index.ts";
import { adopterOf, beganAt, lineOf, processClock, shows, whoStarted } from "../../adapters/process/index.ts";
import { type Ancestor, type Circumstances, type Decider, judge } from "../../engine/control/decider.ts";
import type { ControlRequest } from "../../engine/control/protocol.ts";
import type { Bench } from "../../engine/control/server.ts";
import { because, EspalierError, EXIT, type NoPerson, type RunEvent } from "../../ports/index.ts";
import { type Locale, reasonText } from "../../text/index.ts";
import type { Caller } from "../caller.ts";
import type { Project } from "../project/project.ts";
import { deciderWords } from "./decider-words.ts";

type Place = Pick<Project, "stateDir" | "root">;
type Env = Caller["env"];

/** Milliseconds by which two readings of the clocks may differ. */
const SLACK = 100;

/** The attempt that made the folder of a project: one that found it there has not begun the project. */
function madeWithin(line: readonly Ancestor[], root: string): string | undefined {
  const within = line.find(({ attempt }) => attempt !== undefined)?.attempt;
  const first = line.findLast(({ attempt }) => attempt !== undefined && attempt === within);
  if (first === undefined) return undefined;
  // A file system that keeps no such time says 0.
  const made = statSync(root, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
  return made > beganAt(first) - SLACK ? within : undefined;
}

/** What is known of the beginning of a project. Whoever touches it first is remembered, where that is an attempt that made it. */
async function worked({ stateDir, root }: Place, env: Env): Promise<Worked> {
  const folder = projectHome(env, stateDir);
  const known = readWorked(folder);
  if (known !== undefined) return known;
  const within = madeWithin(await lineOf(process.pid), root);
  writeWorked(folder, { within });
  return { within };
}

/** Remembers that attempts may begin from now on. */
export async function beginWork(place: Place, env: Env): Promise<void> {
  const at = processClock();
  await worked(place, env);
  writeAttempted(projectHome(env, place.stateDir), bootId(), at, await adopterOf());
}

/** Since when there are attempts of the project, and who takes in what they leave behind. */
async function attempted({ stateDir }: Place, env: Env): Promise<Pick<Circumstances, "since" | "adopters">> {
  const { since, adopters } = readAttempted(projectHome(env, stateDir), bootId());
  return { since, adopters: [...adopters, await adopterOf()] };
}

/** Remembers the control socket of this process outside of the repository; what it returns forgets it. */
export function keepSocket({ stateDir }: Place, env: Env, path: string): () => void {
  return rememberSocket(projectHome(env, stateDir), path);
}

/** Who may decide about a run that this process holds; `isLed` where it is a lead's server. */
export function benchOf(place: Place, env: Env, isLed: boolean, refused: Bench["refused"]): Bench {
  const own = lineOf(process.pid).then(([first]) => first);
  const lead = isLed ? whoStarted() : undefined;
  return {
    refused,
    async judge(pid, word) {
      if (!(await shows(pid, word))) return { kind: "unproven" };
      const line = await lineOf(pid);
      const holder = await own;
      const [{ within }, { since, adopters }] = await Promise.all([
        worked(place, env),
        attempted(place, env),
      ]);
      // The same process all the while: its number could have been given to another one.
      if (!(await shows(pid, word))) return { kind: "unproven" };
      const user = process.getuid?.();
      // Where nothing could be written down there are attempts all the same: its own.
      const first = since ?? holder?.startTime ?? 0;
      return judge(line, { holder, lead: await lead, since: first, adopters, user, within });
    },
  };
}

/** Who calls, where no process holds the run. */
export async function judgeCaller(
  { env, isTerminal }: Pick<Caller, "env" | "isTerminal">,
  place: Place,
): Promise<{ readonly decider: Decider; readonly within?: string }> {
  const [line, { within }, around] = await Promise.all([
    lineOf(process.pid),
    worked(place, env),
    attempted(place, env),
  ]);
  const user = process.getuid?.();
  const decider = judge(line, { ...around, user, within, terminal: isTerminal });
  return within === undefined ? { decider } : { decider, within };
}

/** The refusal of somebody who is no person. */
export function notAPerson(decider: NoPerson, locale: Locale, isHeld: boolean): EspalierError {
  const words = deciderWords(locale);
  return new EspalierError("NOT_A_PERSON", reasonText(because("not-a-person", decider), locale), {
    hint: words.hint(decider, isHeld),
    exitCode: EXIT.waitingForPerson,
  });
}

/** What is told of a page that this process serves, where nobody could decide on it. */
export async function pageRefused(caller: Caller, project: Project): Promise<string | undefined> {
  const { decider } = await judgeCaller(caller, project);
  if (decider.kind === "person") return undefined;
  const { locale } = project;
  const words = deciderWords(locale);
  return words.page(reasonText(because("not-a-person", decider), locale), words.hint(decider, false));
}

/** What the log tells of a request that was refused. */
export function refusalEvent(
  request: Pick<ControlRequest, "method"> & { readonly action?: string; readonly task?: string },
  decider: Decider,
): RunEvent {
  const { method, action, task } = request;
  const what = method === "act" ? `task ${action}` : method;
  const message =
    decider.kind === "person"
      ? because("said", { by: "person", text: what })
      : because("decision-refused", { what, why: because("not-a-person", decider) });
  return { type: "warning", code: "NOT_A_PERSON", message, ...(task === undefined ? {} : { task }) };
}

/** Throws EspalierError unless a person calls, or an agent for a project that it began itself. */
export async function requirePerson(
  caller: Pick<Caller, "env" | "isTerminal">,
  project: Pick<Project, "root" | "stateDir" | "config" | "locale">,
): Promise<{ readonly isOwnScratch: boolean }> {
  const { decider, within } = await judgeCaller(caller, project);
  if (decider.kind !== "person") throw notAPerson(decider, project.locale, false);
  return { isOwnScratch: within !== undefined };
}
