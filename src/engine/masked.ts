import type { DocumentFiles, Summarizer } from "../context/library/index.ts";
import {
  type AgentEvent,
  type Fleet,
  fail,
  type OrderEvent,
  ok,
  type Reason,
  type Result,
  type TurnEnd,
  type VcsFailure,
} from "../ports/index.ts";
import { type Redactor, textStream } from "../text/index.ts";
import type { Workspaces } from "./workspaces/index.ts";
import type { HeardWorld, ShellEnd, StateFiles, World } from "./world.ts";

/** Characters from which on a line may have been broken: `AgentEvent` breaks them at 4,096. */
const BROKEN_LINE = 4095;

/** What stands where a line was cut, and what a line begins with that tells of bytes left out before it. */
const CUT = "…";
const LEFT_OUT = "[espalier] … ";

/** Characters of a secret's beginning that tell nothing of it. */
const TELLS_NOTHING = 3;

/**
 * Masks a line that others may have cut to a length. What stands before a cut and could be the beginning of a secret is left
 * out.
 */
export function maskedLine(line: string, redact: Redactor): string {
  const clear = redact(line);
  if (!clear.includes(CUT)) return clear;
  const stream = textStream(redact);
  return clear
    .split(CUT)
    .map((piece, at, { length }) => {
      if (at === length - 1) return piece;
      const whole = stream.push(piece);
      const begun = stream.end();
      return begun.length > TELLS_NOTHING ? whole : whole + begun;
    })
    .join(CUT);
}

function maskedFailure<
  T extends { readonly message: string; readonly said?: string; readonly reason?: Reason },
>(failure: T, redact: Redactor): T {
  const { message, said, reason } = failure;
  return {
    ...failure,
    message: maskedLine(message, redact),
    ...(said === undefined ? {} : { said: maskedLine(said, redact) }),
    ...(reason === undefined ? {} : { reason: maskedReason(reason, redact) }),
  };
}

/** A reason in which the words of others hold nothing secret. */
export function maskedReason(reason: Reason, redact: Redactor): Reason {
  return { ...reason, args: maskedTexts<unknown>(reason.args, redact) } as Reason;
}

function maskedTurnEnd(end: TurnEnd, redact: Redactor): TurnEnd {
  const finalMessage = redact(end.finalMessage);
  if (end.kind === "failed") return { ...end, finalMessage, failure: maskedFailure(end.failure, redact) };
  const { complaint } = end;
  return {
    ...end,
    finalMessage,
    ...(complaint === undefined ? {} : { complaint: maskedFailure(complaint, redact) }),
  };
}

/** Masks lines, and a secret that stands on both sides of where a long one was broken. */
function maskedLines(redact: Redactor): (line: string) => string {
  const stream = textStream(redact);
  let isBroken = false;
  return line => {
    if (isBroken && line.startsWith(LEFT_OUT)) {
      // What was begun does not go on.
      stream.end();
      isBroken = false;
    }
    if (!isBroken && line.length < BROKEN_LINE) return maskedLine(line, redact);
    isBroken = line.length >= BROKEN_LINE;
    return stream.push(line) + (isBroken ? "" : stream.end());
  };
}

function maskedEvent(event: AgentEvent, lines: Lines, redact: Redactor): AgentEvent {
  switch (event.type) {
    case "line":
      return { ...event, text: lines[event.stream](event.text) };
    case "tool":
    case "permission":
      return { ...event, title: maskedLine(event.title, redact) };
    case "ended":
      return { ...event, end: maskedTurnEnd(event.end, redact) };
    case "process":
    case "usage":
    case "session":
      return event;
    default:
      return event satisfies never;
  }
}

/** How the lines of each stream are masked. */
type Lines = Readonly<Record<"stdout" | "stderr", (line: string) => string>>;

function maskedReport(event: OrderEvent, lines: Lines, redact: Redactor): OrderEvent {
  switch (event.type) {
    case "refused":
      return { ...event, failure: maskedFailure(event.failure, redact) };
    case "question":
      return { ...event, title: maskedLine(event.title, redact) };
    case "lost":
      return { ...event, why: maskedLine(event.why, redact) };
    // Raw output goes nowhere but into a log, which masks it itself (`openMaskedLog`): it comes in pieces.
    case "output":
    case "opened":
    case "closed":
    // What is asked is masked where it is answered (`AttemptService`), what is handed over where it is taken (`takeHanded`).
    case "call":
      return event;
    case "process":
    case "line":
    case "usage":
    case "session":
    case "tool":
    case "permission":
    case "ended":
      return maskedEvent(event, lines, redact);
    default:
      return event satisfies never;
  }
}

/** Machines of whose agents' words nothing secret is heard. */
export function maskedFleet(fleet: Fleet, redact: Redactor): Fleet {
  return {
    ...fleet,
    async submit(order, waits) {
      const done = await fleet.submit(order, waits);
      return done.ok ? done : fail(maskedFailure(done.failure, redact));
    },
    async *follow(id, fromSeq) {
      const begin = () => ({ stdout: maskedLines(redact), stderr: maskedLines(redact) });
      let lines = begin();
      for await (const report of fleet.follow(id, fromSeq)) {
        yield { ...report, event: maskedReport(report.event, lines, redact) };
        // No line goes on from one turn to the next.
        if (report.event.type === "ended") lines = begin();
      }
    },
  };
}

/** The documents of a repository, masked: agents write them too. */
export function maskedDocuments(files: DocumentFiles, redact: Redactor): DocumentFiles {
  return {
    list: pattern => files.list(pattern),
    read(path) {
      const text = files.read(path);
      return text.ok ? ok(redact(text.value)) : text;
    },
  };
}

function maskedShellEnd(end: ShellEnd, redact: Redactor): ShellEnd {
  const { notStarted } = end;
  return {
    ...end,
    tail: redact(end.tail),
    ...(notStarted === undefined ? {} : { notStarted: redact(notStarted) }),
  };
}

/** What attempts leave in files of their own. */
function maskedFiles(files: StateFiles, redact: Redactor): StateFiles {
  const { documentLeft } = files;
  if (documentLeft === undefined) return files;
  return {
    ...files,
    documentLeft(task, attempt) {
      const left = documentLeft(task, attempt);
      if (!left.ok) return fail(redact(left.failure));
      return ok(left.value === undefined ? undefined : redact(left.value));
    },
  };
}

/** Branches and worktrees that say nothing secret of what git, hooks and files have said. */
export function maskedWorkspaces(workspaces: Workspaces, redact: Redactor): Workspaces {
  const heard = <T>(result: Result<T, VcsFailure>): Result<T, VcsFailure> =>
    result.ok ? result : fail({ ...result.failure, reason: maskedReason(result.failure.reason, redact) });
  return {
    async open(request) {
      const opened = heard(await workspaces.open(request));
      if (!opened.ok) return opened;
      const workspace = opened.value;
      const { discard } = workspace;
      return ok({
        ...workspace,
        seal: async () => heard(await workspace.seal()),
        async read(tree, path) {
          const text = await workspace.read(tree, path);
          return text === undefined ? undefined : redact(text);
        },
        async diff(from, to) {
          const text = await workspace.diff(from, to);
          return text === undefined ? undefined : redact(text);
        },
        tidy: async tree => heard(await workspace.tidy(tree)),
        keepProved: async (tree, by) => heard(await workspace.keepProved(tree, by)),
        land: async (tree, by, how) => heard(await workspace.land(tree, by, how)),
        setAside: async () => heard(await workspace.setAside()),
        leave: async () => heard(await workspace.leave()),
        ...(discard === undefined ? {} : { discard: async (tells?: boolean) => heard(await discard(tells)) }),
      });
    },
    async endPhase(request) {
      const end = await workspaces.endPhase(request);
      return end.kind === "refused" ? { ...end, reason: maskedReason(end.reason, redact) } : end;
    },
    giveUp: task => workspaces.giveUp(task),
    clear: request => workspaces.clear(request),
    stop: how => workspaces.stop(how),
    inspect: async () => heard(await workspaces.inspect()),
    idle: () => workspaces.idle(),
  };
}

/** A model reads only what is masked already; what a provider complains of may name a key. */
function maskedSummarizer({ model, ...rest }: Summarizer, redact: Redactor): Summarizer {
  return {
    ...rest,
    model: {
      portVersion: model.portVersion,
      name: model.name,
      async answer(question) {
        const answer = await model.answer(question);
        return answer.ok ? answer : fail(maskedFailure(answer.failure, redact));
      },
    },
  };
}

/** A value with every text in it masked. */
export function maskedTexts<T>(value: T, redact: Redactor): T {
  if (typeof value === "string") return redact(value) as T;
  if (Array.isArray(value)) return value.map(one => maskedTexts<unknown>(one, redact)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, maskedTexts(one, redact)]),
  ) as T;
}

/** How a part of the world is heard. */
type Hearing = {
  readonly [Part in keyof World]-?: (
    part: NonNullable<World[Part]>,
    redact: Redactor,
  ) => NonNullable<World[Part]>;
};

/** For what says nothing but what the run, this program or the person in front of it has said. */
const own = <T>(part: T): T => part;

/** Every part of the world, and how others' words come in through it: one that is added has to be decided about here. */
const HEARING: Hearing = {
  fleet: maskedFleet,
  shell: (shell, redact) => async request => maskedShellEnd(await shell(request), redact),
  files: maskedFiles,
  documents: maskedDocuments,
  documentsIn: (documentsIn, redact) => folder => maskedDocuments(documentsIn(folder), redact),
  afterPhase: (afterPhase, redact) => async ended => {
    const reason = await afterPhase(ended);
    return reason && maskedReason(reason, redact);
  },
  takeHanded: (takeHanded, redact) => token => takeHanded(token).map(redact),
  workspaces: maskedWorkspaces,
  summarizer: maskedSummarizer,
  // Facts of the configuration.
  agent: own,
  // The task file is the person's own text, and nothing is read of it that could not be read there.
  taskFile: own,
  questions: own,
  tools: own,
  hook: own,
  serve: own,
  // The run speaks.
  answer: own,
  kept: own,
  archive: own,
  changed: own,
  clock: own,
  store: own,
  epoch: own,
  stillOurs: own,
  exists: own,
  random: own,
  env: own,
  redact: own,
};

/**
 * A world in which secrets are masked where others' words come in: what an engine knows, keeps, tells and hands on is made of
 * these.
 */
export function maskedWorld(world: World): HeardWorld {
  const parts = Object.entries(HEARING).flatMap(([name, hear]) => {
    const part = world[name as keyof World];
    return part === undefined
      ? []
      : [[name, (hear as (part: unknown, redact: Redactor) => unknown)(part, world.redact)]];
  });
  return { ...world, ...Object.fromEntries(parts) } as HeardWorld;
}
