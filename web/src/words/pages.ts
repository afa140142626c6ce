import type { CheckpointsShape, HolderShape, NodeShape } from "../../../src/server/shapes/context.ts";
import type { Lesson } from "../parts/teach.tsx";

/** What the pages beside the graph say. */
export interface PageWords {
  readonly tree: string;
  readonly treeEmpty: string;
  readonly documents: string;
  readonly documentsEmpty: string;
  readonly holders: string;
  readonly holdersEmpty: string;
  readonly nodeStatus: Readonly<Record<NodeShape["status"], string>>;
  readonly standing: Readonly<Record<HolderShape["standing"], string>>;
  readonly standingWhy: Readonly<Record<HolderShape["standing"], string>>;
  /** How a teammate proved what it holds. */
  readonly proof: Readonly<Record<NonNullable<HolderShape["proof"]>, string>>;
  /** In which form an update is on its way. */
  readonly form: Readonly<Record<NonNullable<HolderShape["flight"]>["form"], string>>;
  /** How a document came to be, by the kind of its source. */
  readonly origin: Readonly<Record<string, string>>;
  readonly publishedAlone: string;
  /** A node that the task file declares. */
  readonly byPlan: string;
  /** Before the first run. */
  readonly runLesson: Lesson;
  readonly contextLesson: Lesson;
  readonly budgetLesson: Lesson;
  readonly shared: string;
  readonly unpublished: string;
  readonly withdrawn: string;
  readonly revert: string;
  readonly revertAsk: (label: string) => string;
  readonly versions: (count: number) => string;
  readonly version: string;
  readonly compare: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly same: string;
  readonly lines: (count: number) => string;
  readonly cut: string;
  readonly message: string;
  readonly costs: (sent: string, full: string, share: string) => string;
  readonly inFlight: (version: number, form: string, tokens: string) => string;
  readonly gated: string;
  readonly teammate: string;
  readonly document: string;
  readonly holds: string;
  readonly sent: (messages: number, tokens: string) => string;

  readonly used: string;
  readonly remaining: string;
  readonly total: string;
  readonly window: string;
  readonly spent: string;
  readonly cost: string;
  readonly perRole: string;
  readonly perAgent: string;
  readonly perStage: string;
  readonly others: string;
  readonly compression: string;
  readonly compressionState: Readonly<Record<"normal" | "warn" | "compress" | "stop", string>>;
  readonly next: string;
  readonly nextNone: string;
  readonly vsLevel: Readonly<Record<string, string>>;
  readonly overTime: string;
  readonly noUsage: string;
  readonly cacheHit: string;
  readonly cacheHitWhy: string;
  readonly saved: string;
  readonly savedWhy: (sent: string, full: string, messages: number) => string;
  readonly savedNone: string;
  readonly unpriced: (count: number) => string;
  /** Of tokens whose agents reported none. */
  readonly estimated: (tokens: string) => string;
  /** What models took that put packages together. */
  readonly packages: string;
  readonly limit: string;
  readonly calls: (count: number) => string;

  readonly checkpoints: string;
  readonly checkpointsEmpty: string;
  readonly current: string;
  readonly checkpointStanding: Readonly<Record<string, string>>;
  readonly delta: string;
  readonly proseOnly: string;
  readonly valid: string;
  readonly departures: string;
  readonly weight: Readonly<Record<CheckpointsShape["problems"][number]["weight"], string>>;
  readonly write: string;

  readonly partKind: Readonly<Record<string, string>>;
  readonly partLevel: Readonly<Record<string, string>>;
  /** What the parts of a package that are no document, result or attempt are called. */
  readonly partName: Readonly<Record<string, string>>;
  readonly partWhy: Readonly<Record<string, string>>;
}
