import { z } from "zod";

/** Who asks for a decision, as far as the system can tell. Only a person decides. */
export const Decider = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("person") }),
  /** A process of an attempt, or of the run itself; the task where it is known. Its name is foreign. */
  z.strictObject({ kind: z.literal("attempt"), task: z.string().max(200).optional() }),
  /** Whoever started the server that leads this run. */
  z.strictObject({ kind: z.literal("lead") }),
  /** The shell of an agent program, known by a variable it sets for all it starts. */
  z.strictObject({ kind: z.literal("agent"), sign: z.string().max(100) }),
  /** Nothing tells it from a process that an attempt left behind. */
  z.strictObject({ kind: z.literal("unproven") }),
]);
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
}

/** A time in which processes of a project's attempts could begin. */
export interface Life {
  readonly from: number;
  /** Undefined while it lasts, or where nobody saw its end. */
  readonly to?: number | undefined;
}

/** What a caller is judged by besides its own line. */
export interface Circumstances {
  /** The process that holds the run, where one does. */
  readonly holder?: Identity | undefined;
  /** Who started the holder, where that is a lead's server. */
  readonly lead?: Identity | undefined;
  /** Times in which the project was worked on since the machine was started, in order. */
  readonly lives: readonly Life[];
  /** The process that takes in what loses its parent. */
  readonly adopter: number;
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

/** Whether it began before the project was last worked on, and not while it was worked on earlier. */
function isOlder({ startTime }: Identity, lives: readonly Life[]): boolean {
  const last = lives.at(-1);
  if (last === undefined || startTime >= last.from) return false;
  return !lives.some(({ from, to = last.from }) => startTime >= from && startTime <= to);
}

/**
 * Judges a caller by its line, itself first. A person's line leads to a process that no attempt can have started: one that
 * is older than the work on the project, or another user's, or one from outside. Whoever comes from an attempt has its
 * program or the run in its line; whoever has cut that line hangs on the process that takes in orphans.
 */
export function judge(line: readonly Ancestor[], around: Circumstances): Decider {
  const { holder, lead, lives, adopter, user, within, terminal = false } = around;
  let task: string | undefined;
  for (const [at, one] of line.entries()) {
    task ??= one.task;
    if (isSame(one, holder))
      return at === 0 ? { kind: "person" } : { kind: "attempt", ...(task === undefined ? {} : { task }) };
    if (one.attempt !== undefined && one.attempt !== within)
      return { kind: "attempt", ...(task === undefined ? {} : { task }) };
    if (isSame(one, lead)) return { kind: "lead" };
    // First of all: who takes in orphans is mostly another user's.
    if (one.pid === 1 || one.pid === adopter)
      return terminal || lives.length === 0 ? { kind: "person" } : { kind: "unproven" };
    // A process of root can take on any user, so there a user proves nothing.
    if (user !== 0 && one.user !== undefined && one.user !== user) return { kind: "person" };
    if (isOlder(one, lives)) return { kind: "person" };
    if (one.sign !== undefined) return { kind: "agent", sign: one.sign };
  }
  // Its first process has no parent here: it was brought in from outside.
  return line.length > 0 ? { kind: "person" } : { kind: "unproven" };
}
