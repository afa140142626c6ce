import { because, fail, ok, type Result } from "../../ports/index.ts";
import type { AttemptName, EngineOptions, HeardWorld } from "../world.ts";
import { broken } from "./broken.ts";
import { type Control, createControl, endWork, stopOf } from "./control.ts";
import type { Crew } from "./crew.ts";
import { wordsOf } from "./harvest.ts";
import { fromVcs } from "./place.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { keepProved } from "./proved.ts";
import { CANCELLED, type Judged, settle } from "./settle.ts";
import { account, type Member, together } from "./tried.ts";
import type { AttemptRequest, Place } from "./types.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** Has an agent work in its place, until the verdict. Never rejects. */
export type Hold = (
  request: AttemptRequest,
  ready: Prepared,
  world: HeardWorld,
  options: EngineOptions,
  control: Control,
) => Promise<Judged>;

/** The world of a further agent: the files of its attempt are its own. */
function worldOf(world: HeardWorld, number: number): HeardWorld {
  const { files } = world;
  const { packageFile } = files;
  const own = (attempt: AttemptName): AttemptName => `${Number(attempt)}-${number}`;
  return {
    ...world,
    files: {
      ...files,
      attemptLog: (task, attempt) => files.attemptLog(task, own(attempt)),
      learningsPath: (task, attempt) => files.learningsPath(task, own(attempt)),
      collectLearnings: (task, attempt, agent) => files.collectLearnings(task, own(attempt), agent),
      ...(packageFile === undefined
        ? {}
        : { packageFile: (task, attempt, text) => packageFile(task, own(attempt), text) }),
    },
  };
}

/** Has all of a crew work at once; resolves with whose work was proved first, when no process of any of them is left. */
async function race(
  members: readonly Member[],
  first: Prepared,
  options: EngineOptions,
  hold: Hold,
): Promise<Member | undefined> {
  let winner: Member | undefined;
  const work = async (member: Member): Promise<void> => {
    const { number, request, world, control } = member;
    const prepared: Result<Prepared, Verdict> =
      number === 1 ? ok(first) : await ready(request, world, options, control);
    if (!prepared.ok) {
      member.judged = { ...prepared.failure, finalMessage: "" };
      return;
    }
    member.place = prepared.value.place;
    member.judged = await hold(request, prepared.value, world, options, control);
    const { outcome } = member.judged;
    request.hear(request.row.agent, outcome, request.row.startedAt);
    if (outcome.kind !== "done" || winner !== undefined) return;
    winner = member;
    for (const other of members) if (other !== member) endWork(other.control, "soft");
  };
  await Promise.all(members.map(work));
  return winner;
}

/** Makes a further agent's place and package ready. Never rejects: what goes wrong here ends this agent's part alone. */
async function ready(
  request: AttemptRequest,
  world: HeardWorld,
  options: EngineOptions,
  control: Control,
): Promise<Result<Prepared, Verdict>> {
  if (control.cancel.signal.aborted) return fail(CANCELLED);
  try {
    const prepared = await prepare(request, world, options, stopOf(control));
    if (!prepared.ok) return prepared;
    const { value } = prepared;
    if (value.proved === undefined) return ok(value);
    throw new Error("the place of a further agent holds nothing that was proved before");
  } catch (error) {
    return fail(broken(error, world));
  }
}

/** Takes the places of further agents away: what stands there is kept, and told where it does not land. */
async function clear(
  { task, phase }: AttemptRequest,
  members: readonly Member[],
  winner: Member | undefined,
  { workspaces }: HeardWorld,
): Promise<void> {
  for (const member of members) {
    const { place, request, control } = member;
    // A place that is left standing is taken away before the next attempt, or at the end of the phase.
    if (member.number === 1 || control.kill.signal.aborted) continue;
    const gone = await place?.workspace?.discard?.(member !== winner);
    if (gone?.ok === false) fromVcs(gone.failure, request.halt);
    else if (member !== winner) member.left = gone?.value;
  }
  // Of a place that was never ready nobody holds more than its name.
  if (!members.some(({ control }) => control.kill.signal.aborted))
    await workspaces?.clear({ task: task.id, phase });
}

/** What came of the work that was proved, beside how the others did: also where it met a conflict. */
function withAccount(home: Judged, told: string): Judged {
  return { ...home, evidence: `${home.evidence}\n${told}`.trim() };
}

/** Notes proved work as a commit; undefined where the engine has left. Whoever dies from then on leaves work that only has to land. */
async function note(request: AttemptRequest, { place, judged }: Member): Promise<string | undefined> {
  if (place === undefined) return undefined;
  const kept = await keepProved(request, place, judged);
  const { commit } = kept;
  if (commit === undefined) return undefined;
  const { finalMessage } = judged;
  return (await request.secure({ ...kept, finalMessage })) ? commit : undefined;
}

/** Puts proved work into the task's own place, from where it lands; what stood there before is kept. */
async function bringOver(
  { task, phase, halt }: AttemptRequest,
  [first, winner]: readonly [Member | undefined, Member],
  commit: string,
  { workspaces }: HeardWorld,
): Promise<Result<Place, Verdict>> {
  const own = { task: task.id, phase, alone: false } as const;
  const cleared = await workspaces?.open(own);
  if (cleared?.ok === true && cleared.value.left?.kind === "kept" && first !== undefined)
    first.left = cleared.value.left.ref;
  const opened = cleared?.ok === true ? await workspaces?.open({ ...own, proved: commit }) : cleared;
  if (opened?.ok === false) return fail(fromVcs(opened.failure, halt));
  const workspace = opened?.value;
  const found = workspace?.proved;
  if (workspace === undefined || found === undefined) {
    const reason = because("vcs-failed", { kind: "failed", said: "" });
    return fail(verdict({ kind: "stalled", reason }, "failed", { reason }));
  }
  return ok({
    cwd: workspace.cwd,
    workspace,
    ...(winner.place?.red === undefined ? {} : { red: winner.place.red }),
    sealed: found.snapshot,
    leave: async () => {
      await workspace.leave();
    },
  });
}

/**
 * Several agents on one task: each works in a place of its own, and the first whose work is proved comes home; the others are
 * ended then, and what they made is kept. Where none is proved, the attempt fails with the reasons of each.
 */
export async function compete(
  request: AttemptRequest,
  { requests, spent }: Crew,
  first: Prepared,
  world: HeardWorld,
  options: EngineOptions,
  control: Control,
  hold: Hold,
): Promise<Judged> {
  const from = first.place.workspace?.base ?? "";
  const members = requests.map(
    (asked, at): Member => ({
      number: at + 1,
      request: at === 0 ? asked : { ...asked, candidate: { number: at + 1, from } },
      world: at === 0 ? world : worldOf(world, at + 1),
      control: createControl(control),
      place: undefined,
      judged: CANCELLED,
      left: undefined,
    }),
  );
  const winner = await race(members, first, options, hold);
  for (const member of members) {
    const { number, request: asked, judged } = member;
    const finalMessage = wordsOf(asked, judged.finalMessage, world);
    // What was handed over by an agent whose work does not land is taken in by nobody.
    if (member === winner) member.judged = { ...judged, finalMessage };
    if (number > 1) member.world.files.collectLearnings(asked.task.id, asked.row.number, asked.agent.name);
  }
  const stop = stopOf(control);
  const commit = winner === undefined || winner.number === 1 ? undefined : await note(request, winner);
  await clear(request, members, winner, world);
  if (winner === undefined || winner.number === 1) {
    const judged = winner?.judged ?? (stop.cancel.aborted ? CANCELLED : together(members, options.messages));
    const whole = { ...judged, kept: { ...judged.kept, ...spent() } };
    const home = await settle(request, first.place, whole, world, options, stop);
    return winner === undefined ? home : withAccount(home, account(members, winner, options.messages));
  }
  if (commit === undefined) return { ...CANCELLED, kept: spent() };
  const { agent } = winner.request;
  const { session: _, ...proved } = winner.judged;
  const kept = { ...proved.kept, ...spent(), agent: agent.name };
  const moved = await bringOver(request, [members[0], winner], commit, world);
  if (!moved.ok) return { ...moved.failure, finalMessage: proved.finalMessage, kept };
  const by = { ...request, agent, row: { ...request.row, agent: agent.name } };
  try {
    const home = await settle(by, moved.value, { ...proved, kept }, world, options, stop);
    return withAccount(home, account(members, winner, options.messages));
  } finally {
    await moved.value.leave();
  }
}
