import type { Diagnostic, Plan } from "../../plan/index.ts";
import type {
  Agent,
  Reason,
  RunOutcome,
  RunRow,
  StampedEvent,
  TaskAct,
  TaskRow,
  TaskStatus,
} from "../../ports/index.ts";
import type { Locale } from "../../text/index.ts";

/** Something that a project wants executed, or handed to agents, and that nobody has approved yet. */
export interface Wanted {
  /** A command where nothing else is said. */
  readonly kind?: "command" | "setting" | "agent file";
  /** Where it stands, e.g. `T1.1 run` or `espalier.yaml verify`. */
  readonly where: string;
  /** The repository's own words. */
  readonly text: string;
}

/** Which project is opened, and for whom. */
export interface ProjectRequest {
  /** A folder of the project; the working folder where none is given. */
  readonly folder?: string;
  /** Where programs, the home and secrets are looked for; the environment of this process where none is given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Hears what a person should know, a line or more at a time; nobody where it is not given. */
  readonly tell?: (line: string) => void;
  /**
   * Asks a person whether what they have not approved before may be executed; it is remembered, as on the command line.
   * Where it is not given, a run that needs an approval is refused: `APPROVAL_NEEDED`.
   */
  readonly approve?: (wanted: readonly Wanted[]) => boolean | Promise<boolean>;
  /**
   * Agents of the program's own, for `agent:` of tasks and of `run`. One that is called like an agent of the project stands in
   * its place; none may be called `lead` or `auto`. `agentConformance` of `espalier/testing` tells whether one keeps the port.
   */
  readonly agents?: readonly Agent[];
}

/** A task file as it was read. */
export interface TaskFileReading {
  /** Its path, relative to the project where it lies inside. */
  readonly file: string;
  readonly plan: Plan;
  /** What was found about it; a plan with an error among them is not run. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The last run as it stands on the disk, whoever works on it. */
export interface RunStatus
  extends Pick<RunRow, "id" | "state" | "phase" | "file" | "startedAt" | "updatedAt" | "reason"> {
  readonly plan: Plan;
  readonly tasks: readonly TaskRow[];
}

/** What is asked of a run besides what the project says; the flags of `espalier run` say the same. */
export interface RunOptions {
  /** The task file, relative to the project's folder; the usual one where none is given. */
  readonly file?: string;
  /** Who works on tasks that name nobody: `auto`, `shell`, or an agent's name. */
  readonly agent?: string;
  /** A command line that works on tasks. */
  readonly command?: string;
  /** How many tasks run at once; `declared` goes by what the file says. */
  readonly parallel?: number | "declared";
  /** Tasks that wait for one that is not in the file are run all the same. */
  readonly allowMissing?: boolean;
  /** Whether edits of the task file count while the run goes on. */
  readonly plan?: "reconcile" | "frozen";
  /** The most tokens that the run may take. */
  readonly maxTokens?: number;
  /** The most US dollars that it may cost. */
  readonly maxCost?: number;
  /** Only these tasks. */
  readonly only?: readonly string[];
  /** The label of a phase that may begin whatever became of the one before it. */
  readonly forcePhase?: string;
  /** A checkpoint to start a new run from, by name or path. */
  readonly from?: string;
  /** Ticked boxes are believed where the state was lost. */
  readonly trustBoxes?: boolean;
  /** The state is believed as it stands. */
  readonly trustState?: boolean;
}

/** What a run came to. */
export interface RunResult {
  readonly outcome: RunOutcome;
  /** Why it waits or failed; undefined where there is nothing to say. */
  readonly reason: Reason | undefined;
  /** The same in words, in the project's language; empty where there is nothing to say. */
  readonly message: string;
  /** How many tasks stand where. */
  readonly counts: Readonly<Record<TaskStatus, number>>;
}

/** A run under way in this process. */
export interface Run {
  /**
   * What happens, in order and from the beginning for the first who reads it. It ends with the run, and throws what
   * `ended` rejects with. Lines of agents are left out for a reader that falls behind by ten thousand events.
   */
  readonly events: AsyncIterable<StampedEvent>;
  /** Settles when every agent has ended and the state is saved. Rejects with an `EspalierError` where it could not begin or go on. */
  readonly ended: Promise<RunResult>;
  /** Ends the run: `soft` lets agents finish their last words, `hard` does not. `espalier resume` or another `run` goes on. */
  stop(how?: "soft" | "hard"): void;
  /** While it is held nothing new is started. False where the run is over. */
  hold(held: boolean): Promise<boolean>;
  /** Carries out what a person decided about a task. Why it was refused, or undefined where it was done. */
  decide(task: string, decision: TaskAct, note?: string): Promise<Reason | undefined>;
}

/** A version of a document that the team shares. */
export interface SharedDocument {
  readonly version: number;
  readonly text: string;
}

/** What came of a version that was published. */
export type Published =
  /** `mergedFrom`: what others had published since that version is in it as well. `now` and `later` are who is told when. */
  | {
      readonly kind: "published";
      readonly version: number;
      readonly mergedFrom?: number;
      readonly now: readonly string[];
      readonly later: readonly string[];
    }
  /** It says nothing that the current version does not. */
  | { readonly kind: "unchanged"; readonly version: number }
  /** Nothing was published: others have changed the same sections since the version that was edited. */
  | {
      readonly kind: "clash";
      readonly current: number;
      readonly sections: readonly {
        readonly section: string;
        readonly theirs: string;
        readonly yours: string;
      }[];
    };

/** What is said of a version besides its text; the options of `espalier context publish` say the same. */
export interface PublishOptions {
  /** Who publishes; `program` where nothing is said. */
  readonly by?: string;
  /** The version that was edited: what others published since is merged. Without it that is what the same publisher wrote last. */
  readonly base?: number;
  /** Teammates and roles whom the change affects. */
  readonly affected?: readonly string[];
  /** What they are to do about it. */
  readonly actions?: readonly string[];
  /** Tells the whole team, whomever it affects. */
  readonly everyone?: boolean;
}

/** The documents that the agents of a project share, by their labels; `GC` is what every task reads. */
export interface SharedContext {
  /** A version, by default the newest; undefined where there is none, or its text is no longer kept. */
  read(label: string, version?: number): SharedDocument | undefined;
  /**
   * Publishes a version: to the process that works on the project, else under the lock, which is taken for as long. Rejects with
   * an `EspalierError` where the label or the text cannot be.
   */
  publish(label: string, text: string, options?: PublishOptions): Promise<Published>;
}

/** A project. Nothing of it is held open: each run takes the lock for itself, and gives it back. */
export interface Project {
  /** Absolute path of the main checkout. */
  readonly root: string;
  readonly locale: Locale;
  /** Reads a task file anew. Throws an `EspalierError` where there is none, or it cannot be read. */
  plan(file?: string): TaskFileReading;
  /** The last run; undefined before the first. Throws an `EspalierError` where the state cannot be read. */
  status(): RunStatus | undefined;
  /** What its agents share, as `espalier context` works on it. */
  readonly context: SharedContext;
  /** Starts a run, or goes on with the one of its task file. What stands in its way rejects `ended`. */
  run(options?: RunOptions): Run;
}
