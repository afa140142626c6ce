import {
  bodyOfPart,
  type Created,
  composeCheckpoint,
  itemsOfPart,
  parseCheckpoint,
  readFindings,
  type WorkCrumb,
  withOwnIds,
} from "../../checkpoint/index.ts";
import {
  because,
  fail,
  type Reason,
  type Result,
  type RunEvent,
  type StampedEvent,
} from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { firstLine, type Locale, reasonText, said, toldText } from "../../text/index.ts";
import type { World } from "../world.ts";
import type { CheckpointKeeper, CheckpointMoment } from "./keeper.ts";
import { acceptedAttempt, type Span, spanSince } from "./span.ts";
import { chronicleWords } from "./words.ts";
import { standingLine, workOfRun } from "./work-of-run.ts";

/** The part of the world a chronicle touches. */
export type ChronicleWorld = Pick<World, "clock" | "store" | "taskFile" | "redact"> & {
  readonly checkpoints: CheckpointKeeper;
};

/** What is fixed for the run it keeps. */
export interface ChronicleOptions {
  readonly runId: string;
  readonly planHash: () => string;
  readonly locale: Locale;
  /** Moments at which it writes by itself. */
  readonly when: ReadonlySet<CheckpointMoment>;
  /** Rules of the user that the configuration names. */
  readonly rules: readonly string[];
  /** Tells what became of it: `checkpoint`, or a warning. */
  readonly tell: (event: RunEvent) => void;
}

/** Writes a run's checkpoints, each with its delta, when the run's events call for one. */
export interface Chronicle {
  /** Hears every event of the run, after it is durable. Never throws. */
  hear(event: StampedEvent): void;
  /** Writes at once what the events so far call for; without it that happens when the loop has told all of them. */
  flush(): void;
  /** Writes one now. `shift` declares a change of direction. */
  write(why: string | undefined, shift: boolean): Result<Created, string>;
}

interface Occasion {
  readonly moment: CheckpointMoment;
  readonly why: Reason;
  readonly shift?: boolean;
  /** Nothing is written where the checkpoint before tells it all. */
  readonly news?: boolean;
}

/** The events at which a checkpoint may be due. */
type Due = Extract<
  RunEvent,
  { type: "phase-ended" | "stopping" | "run-ended" | "saturation" | "plan-changed" | "completed" }
>;
const DUE: ReadonlySet<RunEvent["type"]> = new Set<Due["type"]>([
  "phase-ended",
  "stopping",
  "run-ended",
  "saturation",
  "plan-changed",
  "completed",
]);

const MOST_CRUMBS = 20;
/** Of the words of others that a checkpoint is written for. */
const LONGEST_WORDS = 400;

/** Opens the chronicle of one run. */
export function createChronicle(run: RunState, world: ChronicleWorld, options: ChronicleOptions): Chronicle {
  const words = chronicleWords(options.locale);
  const due: Occasion[] = [];

  const masked = (text: string) => firstLine(world.redact(text), LONGEST_WORDS);
  const directed = (text: string) => because("direction-declared", { text: masked(text) });
  const asked = (why: string | undefined) =>
    why === undefined
      ? because("checkpoint-asked", {})
      : because("said", { by: "person", text: masked(why) });

  const occasionOf = (event: Due): Occasion | undefined => {
    switch (event.type) {
      case "phase-ended": {
        const { phase, completed, counted } = event;
        return { moment: "phase", why: because("phase-was-ended", { phase, completed, counted }) };
      }
      case "stopping":
        return { moment: "exit", why: because("run-asked-to-stop", { by: event.by }) };
      case "run-ended":
        return { moment: "exit", why: because("run-was-ended", { outcome: event.outcome }), news: true };
      case "saturation":
        if (event.level === "warn") return undefined;
        return { moment: "saturation", why: because("lead-window-filled", { percent: event.percent }) };
      case "plan-changed":
        // What a worker asks for is no decision of a person's, and the task file is as it was.
        return event.asked !== undefined
          ? undefined
          : { moment: "decision", why: because("task-file-changed", {}), shift: true };
      case "completed": {
        const row = acceptedAttempt(world.store, options.runId, event.task);
        const shift = row === undefined ? undefined : readFindings(row.finalMessage).shift;
        return shift === undefined ? undefined : { moment: "decision", why: directed(shift), shift: true };
      }
      default:
        return event satisfies never;
    }
  };

  const spanNow = (): { span: Span; exists: boolean; before: string; tellsEnd: () => boolean } => {
    const { exists, anchor, text } = world.checkpoints.latest();
    const after = seqOf(anchor, options.runId);
    return {
      exists,
      before: text ?? "",
      span: spanSince(world.store, options.runId, run, after, words),
      tellsEnd: () => after === 0 || text === undefined || stateIn(text).includes(standingLine(run, words)),
    };
  };

  /** Whether the checkpoint before does not tell it all. */
  const isNews = (): boolean => {
    const { span, tellsEnd } = spanNow();
    return span.steps.length + span.branches.size > 0 || !tellsEnd();
  };

  const compose = (span: Span, first: boolean): string => {
    const file = world.taskFile.displayPath;
    const facts = {
      runId: options.runId,
      file,
      planHash: options.planHash(),
      first,
      rules: [...options.rules, ...rulesIn(world)],
      crumbs: crumbs(first ? 0 : span.since),
      files: world.checkpoints.changed(span.commits),
    };
    return world.redact(composeCheckpoint(workOfRun(run, span, facts, words)));
  };

  const crumbs = (since: number): WorkCrumb[] => {
    const context = world.store.context.load();
    const versions = context.ok ? context.value.versions.filter(({ at }) => at >= since) : [];
    return [
      { type: "log", reference: "orchestrate.log", hint: words.crumbs.log },
      { type: "log", reference: "memory/learnings.md", hint: words.crumbs.lessons },
      ...versions.slice(-MOST_CRUMBS).map(({ label, number, by }) => ({
        type: "context",
        reference: `${label}-v${number}`,
        hint: `${words.crumbs.context} ${by}`,
      })),
    ];
  };

  const keep = (
    { why, shift }: Pick<Occasion, "why" | "shift">,
    declared?: string,
  ): Result<Created, string> => {
    const { span: found, exists, before } = spanNow();
    // What a person declares is a decision, whatever agents said of theirs.
    const own = declared === undefined ? [] : [{ text: declared, by: words.person }];
    const span = { ...found, decisions: withOwnIds([...found.decisions, ...own], before) };
    const kept = world.checkpoints.keep({
      work: compose(span, !exists),
      created: new Date(world.clock.now()).toISOString().replace(/\.\d{3}Z$/, "Z"),
      anchor: `${options.runId}#${span.lastSeq}`,
      headline: world.redact(reasonText(why, options.locale)),
      ...(span.origin === undefined ? {} : { parent: span.origin }),
      ...(shift === undefined ? {} : { shift }),
    });
    if (!kept.ok) {
      options.tell({ type: "warning", code: "CHECKPOINT", message: said("system", kept.failure, 300) });
      return kept;
    }
    const { amiss, conflicts } = kept.value;
    if (amiss !== undefined)
      options.tell({
        type: "warning",
        code: "CHECKPOINT_PARENT",
        message: said("system", toldText(amiss, options.locale), 300),
      });
    for (const { section, why: reason } of conflicts)
      options.tell({
        type: "warning",
        code: "CHECKPOINT_CONFLICT",
        message: because("checkpoint-conflict", {
          id: kept.value.id,
          section: String(section),
          said: reason,
        }),
      });
    options.tell({
      type: "checkpoint",
      action: "written",
      id: kept.value.id,
      why,
    });
    return kept;
  };

  /** A checkpoint that cannot be written must not end the run. */
  const attempt = <T>(act: () => T): T | ReturnType<typeof fail<string>> => {
    try {
      return act();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      options.tell({ type: "warning", code: "CHECKPOINT", message: said("system", message, 300) });
      return fail(message);
    }
  };

  const flush = (): void => {
    const occasions = due.splice(0);
    if (occasions.length === 0) return;
    attempt(() => {
      const telling = mostTelling(occasions);
      if (telling.news !== true || isNews()) keep(telling);
    });
  };

  return {
    flush,
    hear({ event }) {
      if (!DUE.has(event.type)) return;
      attempt(() => {
        const occasion = occasionOf(event as Due);
        if (occasion === undefined || !options.when.has(occasion.moment)) return;
        due.push(occasion);
        // What is durable together is told together: one checkpoint stands for all of it.
        if (due.length === 1) queueMicrotask(flush);
      });
    },
    write: (why, shift) => attempt(() => keep({ why: asked(why), shift }, shift ? why : undefined)),
  };
}

const BY_WEIGHT: readonly CheckpointMoment[] = ["phase", "exit", "saturation", "decision"];

/** The reason of the weightiest of several occasions; a shift that one of them declares is declared. */
function mostTelling(occasions: readonly Occasion[]): Pick<Occasion, "why" | "shift" | "news"> {
  const [first] = occasions.toSorted((a, b) => BY_WEIGHT.indexOf(a.moment) - BY_WEIGHT.indexOf(b.moment));
  return {
    why: first!.why,
    shift: occasions.some(({ shift }) => shift === true),
    news: occasions.every(({ news }) => news === true),
  };
}

/** What a checkpoint says of where the work stands. */
function stateIn(text: string): string {
  return bodyOfPart(parseCheckpoint(text), "state")?.join("\n") ?? "";
}

/** The last event of a run that a checkpoint knows of; 0 for another run's. */
function seqOf(anchor: string | undefined, runId: string): number {
  const mark = anchor?.lastIndexOf("#") ?? -1;
  if (anchor === undefined || mark < 0 || anchor.slice(0, mark) !== runId) return 0;
  const seq = Number(anchor.slice(mark + 1));
  return Number.isSafeInteger(seq) && seq > 0 ? seq : 0;
}

/** The user's rules, where the task file has a section of them. */
function rulesIn(world: ChronicleWorld): string[] {
  const bytes = world.taskFile.read();
  if (!bytes.ok) return [];
  const text = Buffer.from(bytes.value).toString("utf8");
  return itemsOfPart(parseCheckpoint(text), "rules").map(item =>
    item.replace(/^\s*(?:[-*+]|\d{1,4}[.)]) /, ""),
  );
}
