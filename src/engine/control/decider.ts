import { z } from "zod";

/** Who asks for a decision, as far as the system can tell. Only a person decides. */
export const Decider = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("person") }),
    /** A process of an attempt, or of the run itself; the task where it is known. Its name is foreign. */
    z.strictObject({ kind: z.literal("attempt"), task: z.string().max(200).optional() }),
    /** Whoever started the server that leads this run. */
    z.strictObject({ kind: z.literal("lead") }),
    /** The shell of an agent program, known by a variable it sets for all it starts. */
    z.strictObject({ kind: z.literal("agent"), sign: z.string().max(100) }),
    /** Nothing tells it from a process that an attempt left behind. */
    z.strictObject({ kind: z.literal("unproven") }),
  ]),
);
export type Decider = z.infer<typeof Decider>;

/** A process among all that ever ran since the machine was started. */
export interface Identity {
  readonly pid: number;
  /** In the system's own unit since its start, the same for all processes. */
  readonly startTime: number;
}

/** A process in the line of a caller, as the system tells of it. */
export interface Ancestor extends Identity {
  /** The real user; undefined where it cannot be told. */
  readonly user: number | undefined;
  /** The attempt it was started in, of whatever project, and that one's task. */
  readonly attempt?: string;
  readonly task?: string;
  /** The variable by which an agent program marks what it starts. */
  readonly sign?: string;
  /** It has no parent here: whoever brought it in stands outside. */
  readonly isOutermost?: boolean;
}

/** What a caller is judged by besides its own line. */
export interface Circumstances {
  /** The process that holds the run, where one does. */
  readonly holder?: Identity | undefined;
  /** Who started the holder, where that is a lead's server. */
  readonly lead?: Identity | undefined;
  /** When the first attempt of the project could begin since the machine was started; undefined before that. */
  readonly since: number | undefined;
  /** Processes that take in what loses its parent, here and where earlier runs were. */
  readonly adopters: readonly number[];
  /** The user that attempts run as. */
  readonly user: number | undefined;
  /** The attempt in which the project itself was begun: an agent's own scratch project. */
  readonly within?: string | undefined;
  /** Whether it is asked on a terminal and nothing runs: nobody else can type there. */
  readonly terminal?: boolean;
}

function isSame(one: Identity, other: Identity | undefined): boolean {
  return one.pid === other?.pid && one.startTime === other.startTime;
}

/**
 * Judges a caller by its line, itself first. A person's line leads to a process that no attempt can have started: one that
 * is older than the first attempt of the project, or another user's, or one from outside. Whoever comes from an attempt has its
 * program or the run in its line; whoever has cut that line hangs on the process that takes in orphans.
 */
export function judge(line: readonly Ancestor[], around: Circumstances): Decider {
  const { holder, lead, since, adopters, user, within, terminal = false } = around;
  let task: string | undefined;
  for (const [at, one] of line.entries()) {
    task ??= one.task;
    if (isSame(one, holder))
      return at === 0 ? { kind: "person" } : { kind: "attempt", ...(task === undefined ? {} : { task }) };
    if (one.attempt !== undefined && one.attempt !== within)
      return { kind: "attempt", ...(task === undefined ? {} : { task }) };
    if (isSame(one, lead)) return { kind: "lead" };
    // First of all: who takes in orphans is mostly another user's.
    if (one.pid === 1 || adopters.includes(one.pid))
      return terminal || since === undefined ? { kind: "person" } : { kind: "unproven" };
    // A process of root can take on any user, so there a user proves nothing.
    if (user !== 0 && one.user !== undefined && one.user !== user) return { kind: "person" };
    // What came later may be left over from an attempt, also of a project or a run that is long over.
    if (since !== undefined && one.startTime < since) return { kind: "person" };
    if (one.sign !== undefined) return { kind: "agent", sign: one.sign };
    if (one.isOutermost === true) return { kind: "person" };
  }
  return { kind: "unproven" };
}
