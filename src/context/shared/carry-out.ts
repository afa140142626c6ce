import { fail, ok, type Result } from "../../ports/index.ts";
import { type Lead, type LeadStep, readWords, type Teammate, type TeammateWord } from "../../sync/index.ts";
import type { ContextCommand, ContextReply, LabelEvent } from "./command.ts";
import type { ContextFailure } from "./labels.ts";
import type { HeardStep, SharedContext } from "./shared-context.ts";
import { labelOf } from "./word.ts";

type Command<Op extends ContextCommand["op"]> = Extract<ContextCommand, { op: Op }>;
/** A value, or the reply that says why there is none. */
type Attempt<T> = Result<T, ContextReply>;

/** The session of a teammate that names none, such as a person's own shell. */
const OWN_SESSION = "cli";

/** Carries a command out on the shared context. */
export async function carryOut(shared: SharedContext, command: ContextCommand): Promise<ContextReply> {
  switch (command.op) {
    case "publish":
      return publish(shared, command);
    case "update":
      return update(shared, command);
    case "ack":
      return hear(shared, command);
    case "leave":
    case "resume":
      return forEachLabel(shared, command);
    default:
      return command satisfies never;
  }
}

async function publish(shared: SharedContext, command: Command<"publish">): Promise<ContextReply> {
  const { label, text, by, base, edited, follows, affected, actions, everyone } = command;
  const step = await shared.act(label, {
    type: "publish",
    text,
    by,
    ...(base === undefined ? {} : { base }),
    ...(edited === undefined ? {} : { edited }),
    ...(follows === undefined ? {} : { follows }),
    ...(affected === undefined ? {} : { affected }),
    ...(actions === undefined ? {} : { actions }),
    ...(everyone === true ? { point: "IP-004" } : {}),
  });
  return step.ok ? { kind: "done", events: eventsOf(label, step.value) } : replyTo(label, step.failure);
}

async function update(shared: SharedContext, command: Command<"update">): Promise<ContextReply> {
  const { label, teammate, lost } = command;
  const lead = publishedLead(shared, label);
  if (!lead.ok) return lead.failure;
  const events: LabelEvent[] = [];
  const act = async (input: Parameters<SharedContext["act"]>[1]): Promise<Attempt<LeadStep>> => {
    const step = await shared.act(label, input);
    if (!step.ok) return fail(replyTo(label, step.failure));
    events.push(...eventsOf(label, step.value));
    return step;
  };
  const known = lead.value.teammates.get(teammate);
  const session = command.session ?? known?.session ?? OWN_SESSION;
  if (known?.live !== true || known.session !== session) {
    const joined = await act(joining(command, session, known));
    if (!joined.ok) return joined.failure;
    if (joined.value.events.some(event => event.type === "refused")) return { kind: "done", events };
  } else if (lost === true) {
    const told = await act({ type: "lost", teammate, session, cause: "reported" });
    if (!told.ok) return told.failure;
  }
  const pulled = await act({ type: "pull", teammate });
  if (!pulled.ok) return pulled.failure;
  const message = pulled.value.messages.find(made => made.teammate === teammate);
  if (message === undefined) return { kind: "done", events };
  const { session: _, ...shown } = message;
  return {
    kind: "done",
    events,
    message: { ...shown, withTask: pulled.value.taskContexts.has(teammate) },
  };
}

/** Whoever asks for its updates fetches them; what it said of itself before still holds. */
function joining(
  { teammate, proof, role, interests }: Command<"update">,
  session: string,
  known: Teammate | undefined,
): Parameters<SharedContext["act"]>[1] {
  return {
    type: "join",
    teammate,
    session,
    proof: proof ?? known?.proof ?? "word",
    role: role ?? known?.role ?? "",
    interests: interests ?? known?.interests ?? [],
    fetches: true,
  };
}

async function hear(shared: SharedContext, command: Command<"ack">): Promise<ContextReply> {
  const words = readWords(command.text);
  if (words.length === 0) return { kind: "no-words" };
  const events: LabelEvent[] = [];
  for (const word of words) {
    const speaker = speakerOf(shared, word, command);
    if (!speaker.ok) return speaker.failure;
    const heard = await shared.hear([word], speaker.value);
    if (!heard.ok) return replyTo("", heard.failure);
    events.push(...heard.value.flatMap(({ label, step }: HeardStep) => eventsOf(label, step)));
  }
  return { kind: "done", events };
}

/** Who said a word, and in which session: what the command names, else what the lead knows. */
function speakerOf(
  shared: SharedContext,
  word: TeammateWord,
  command: Command<"ack">,
): Attempt<{ readonly teammate: string; readonly session: string }> {
  const named = labelOf(word);
  const labels = named === undefined ? shared.labels() : ok([named]);
  if (!labels.ok) return fail(replyTo("", labels.failure));
  const mates: Teammate[] = [];
  for (const label of labels.value) {
    const lead = shared.lead(label);
    if (!lead.ok) return fail(replyTo(label, lead.failure));
    if (lead.value === undefined) return fail(unknownLabel(shared, label));
    mates.push(...[...lead.value.teammates.values()].filter(mate => mate.live));
  }
  if (command.teammate !== undefined) {
    const mate = mates.find(({ id }) => id === command.teammate);
    const session = command.session ?? mate?.session ?? OWN_SESSION;
    return ok({ teammate: command.teammate, session });
  }
  const waiting = mates.filter(
    ({ flight }) => flight !== undefined && (word.type !== "ack" || flight.version === word.ack.version),
  );
  const [one, ...others] = [...new Map(waiting.map(mate => [mate.id, mate])).values()];
  if (one === undefined || others.length > 0) {
    const candidates = (one === undefined ? mates : [one, ...others]).map(({ id }) => id);
    return fail({ kind: "whose", candidates: [...new Set(candidates)] });
  }
  return ok({ teammate: one.id, session: command.session ?? one.session });
}

/** Lets a teammate leave or go on: at one label, or at all it is in. */
async function forEachLabel(
  shared: SharedContext,
  { op, teammate, label }: Command<"leave" | "resume">,
): Promise<ContextReply> {
  const labels = label === undefined ? shared.labels() : ok([label]);
  if (!labels.ok) return replyTo("", labels.failure);
  const events: LabelEvent[] = [];
  const known = new Set<string>();
  for (const each of labels.value) {
    const lead = shared.lead(each);
    if (!lead.ok) return replyTo(each, lead.failure);
    if (lead.value === undefined) return unknownLabel(shared, each);
    for (const mate of lead.value.teammates.values()) if (mate.live) known.add(mate.id);
    if (lead.value.teammates.get(teammate)?.live !== true) continue;
    const step = await shared.act(each, { type: op, teammate });
    if (!step.ok) return replyTo(each, step.failure);
    events.push(...eventsOf(each, step.value));
  }
  return known.has(teammate)
    ? { kind: "done", events }
    : { kind: "unknown-teammate", teammate, known: [...known] };
}

/** The lead of a label that has a version. */
function publishedLead(shared: SharedContext, label: string): Attempt<Lead> {
  const lead = shared.lead(label);
  if (!lead.ok) return fail(replyTo(label, lead.failure));
  if (lead.value === undefined || lead.value.versions.length === 0) return fail(unknownLabel(shared, label));
  return ok(lead.value);
}

function unknownLabel(shared: SharedContext, label: string): ContextReply {
  const known = shared.labels();
  return { kind: "unknown-label", label, known: known.ok ? known.value : [] };
}

function eventsOf(label: string, step: LeadStep): LabelEvent[] {
  return step.events.map(event => ({ label, event }));
}

function replyTo(label: string, failure: ContextFailure): ContextReply {
  switch (failure.kind) {
    case "label":
      return { kind: "bad-label", label, message: failure.message };
    case "unknown":
      return { kind: "unknown-label", label: failure.label, known: [] };
    case "store":
      return {
        kind: "store",
        message: "message" in failure.failure ? failure.failure.message : failure.failure.kind,
      };
    case "closed":
      return { kind: "closed" };
    default:
      return failure satisfies never;
  }
}
