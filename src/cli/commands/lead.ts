import { resolve } from "node:path";
import { readBounded } from "../../adapters/file/index.ts";
import { requirePerson } from "../../host/approval/decider.ts";
import {
  claimTask,
  handIn,
  type Lead,
  type LeadAnswer,
  type LeadLimits,
  type NextOptions,
  nextStep,
  openLead,
} from "../../host/lead/lead.ts";
import { because, EXIT } from "../../ports/index.ts";
import { errorFor, said } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say, warn } from "../io.ts";
import { projectOf } from "../project.ts";

/** Opens the run for one answer, and prints it. */
async function answer(
  io: Io,
  named: string | undefined,
  limits: LeadLimits,
  ask: (lead: Lead) => Promise<string | LeadAnswer>,
): Promise<number> {
  const lead = await openLead({
    caller: callerOf(io),
    project: projectOf(io),
    named,
    limits,
    face: "shell",
    answer: line => say(io, line),
  });
  try {
    const given = await ask(lead);
    const { text, exit } = typeof given === "string" ? { text: given, exit: EXIT.done } : given;
    say(io, text);
    return exit;
  } finally {
    lead.session.close();
  }
}

/** `espalier next [FILE]`: one short line, whatever the plan's size. */
export function next(
  io: Io,
  named: string | undefined,
  options: NextOptions & LeadLimits = {},
): Promise<number> {
  return answer(io, named, options, async lead => {
    if (options.forcePhase !== undefined) await requirePerson(callerOf(io), lead.project);
    for (const note of lead.session.notes) warn(io, note);
    return nextStep(lead, options);
  });
}

/**
 * `espalier start ID…`: claims ready tasks for the lead's own agents and names the file with the prompt of each, in their order;
 * with `print` the prompts themselves. A task that cannot be started ends it: those before it are claimed, and told.
 */
export function start(
  io: Io,
  ids: readonly string[],
  { print, ...limits }: LeadLimits & { readonly print?: boolean } = {},
): Promise<number> {
  const [last = "", ...before] = ids.toReversed();
  const shown = print === true ? "prompt" : "file";
  return answer(io, undefined, limits, async lead => {
    for (const id of before.toReversed()) say(io, await claimTask(lead, id, shown));
    return claimTask(lead, last, shown);
  });
}

/** `espalier report ID SIGNAL`: judges the signal, proves it, and says in one line what became of the task. */
export function report(
  io: Io,
  id: string,
  signal: string,
  options: { yes?: boolean; result?: string } = {},
): Promise<number> {
  const result = options.result === undefined ? undefined : readResult(io, options.result);
  return answer(io, undefined, {}, lead => handIn(lead, id, signal, options.yes === true, result));
}

/** Bytes of an agent's whole answer, as many as are kept of one. */
const LONGEST_RESULT = 64 * 1024;

function readResult(io: Io, name: string): string {
  const bytes = readBounded(resolve(io.cwd, name), { maxBytes: LONGEST_RESULT, follow: true });
  if (bytes.ok) return Buffer.from(bytes.value).toString("utf8");
  throw errorFor("RESULT_UNREADABLE", said("system", bytes.failure.message, 400), {
    advice: because("result-file", {}),
    exitCode: EXIT.usage,
  });
}
