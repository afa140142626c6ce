import type { Action, Status } from "../../../src/server/shapes/run.ts";
import type { Attempt } from "../../../src/server/shapes/task.ts";
import type { Stand } from "../parts/stand.ts";
import type { View } from "../state/views.ts";
import type { OverviewWords } from "./overview.ts";
import type { PageWords } from "./pages.ts";

/** What the page says, in one language. Foreign text goes in as it is: React never takes it for markup. */
export interface Words {
  readonly locale: "en" | "ko";
  readonly status: Readonly<Record<Status, string>>;
  /** The same with what is done taken apart. */
  readonly stand: Readonly<Record<Stand, string>>;
  readonly run: Readonly<Record<"running" | "completed" | "failed" | "waiting" | "interrupted", string>>;
  readonly outcome: Readonly<Record<Attempt["outcome"], string>>;
  readonly view: Readonly<Record<View, string>>;
  readonly action: Readonly<Record<Action, string>>;
  readonly why: Readonly<Record<Action, string>>;
  readonly phase: (label: string) => string;
  readonly held: string;
  readonly hold: string;
  readonly holdWhy: string;
  readonly release: string;
  readonly stop: string;
  readonly stopNow: string;
  readonly stopAsk: string;
  readonly force: (phase: string) => string;
  readonly forceWhy: string;
  readonly cancel: string;
  readonly asks: string;
  readonly wants: (kind: string) => string;
  readonly allow: string;
  readonly reject: string;
  readonly close: string;
  readonly note: string;
  readonly noteHint: string;
  readonly whatTheyDo: string;
  /** Several things that were decided at once. */
  readonly allDone: (count: number) => string;
  /** Words in a field that were written before it was shown. */
  readonly unsent: string;
  readonly sending: string;
  readonly rests: string;
  readonly restsHint: string;
  readonly goOn: string;
  readonly goOnWhy: string;
  readonly line: Readonly<Record<"connecting" | "live" | "lost" | "denied" | "keyless", string>>;
  readonly lostHint: string;
  /** To somebody who asked for something. */
  readonly silent: string;
  readonly deniedHint: Readonly<Record<"owner" | "device" | "link", string>>;
  readonly keylessHint: string;
  readonly problem: string;
  readonly loading: string;
  readonly nothing: string;

  readonly search: string;
  readonly fit: string;
  readonly opensCard: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly asGraph: string;
  readonly asList: string;
  readonly expandAll: string;
  readonly collapseAll: string;
  readonly expand: string;
  readonly collapse: string;
  readonly all: string;
  readonly filter: string;
  readonly critical: string;
  readonly theme: string;
  readonly language: string;
  readonly doneOf: (done: number, total: number) => string;
  readonly ofAll: (total: number) => string;
  readonly tasks: (count: number) => string;
  readonly more: (count: number) => string;
  readonly tokens: string;
  readonly cost: string;
  readonly elapsed: string;
  readonly state: string;
  readonly skip: string;
  readonly views: string;
  readonly keys: string;
  /** What each key does, by its name. */
  readonly keysOf: Readonly<Record<"?" | "1 – 6" | "/" | "enter" | "f" | "esc" | "tab", string>>;
  readonly keysSingle: string;
  readonly noMatch: string;
  readonly retry: (retries: number, max: number) => string;
  readonly again: (time: string) => string;

  readonly waitsFor: string;
  readonly neededBy: string;
  readonly blockedBy: (task: string) => string;
  readonly brokenRoot: string;
  readonly attempts: string;
  readonly attempt: (number: number) => string;
  readonly noAttempts: string;
  readonly older: (count: number) => string;
  readonly evidence: string;
  readonly feedback: string;
  readonly finalMessage: string;
  readonly output: string;
  readonly showOutput: string;
  readonly agentNumber: (number: number) => string;
  readonly cutOutput: (kib: number) => string;
  readonly live: string;
  readonly liveEmpty: string;
  readonly taskText: string;
  readonly actions: string;
  readonly tell: string;
  readonly tellHint: string;
  readonly tellSend: string;
  readonly role: string;
  readonly agent: string;
  readonly files: string;
  readonly verify: string;
  readonly test: string;
  readonly script: string;
  readonly node: string;
  readonly fills: string;
  readonly place: string;
  readonly branch: string;
  readonly commit: string;
  readonly reason: string;
  readonly receipt: string;
  readonly receiptWhy: string;
  readonly leftOut: string;
  readonly prefix: (tokens: string) => string;
  readonly ofBudget: (used: string, budget: string) => string;
  readonly estimate: string;
  readonly reviewTook: (by: string, tokens: string, cost: string) => string;
  readonly cached: string;
  readonly thought: string;

  readonly overview: OverviewWords;
  /** Of the pages beside the graph. */
  readonly pages: PageWords;

  readonly happening: (type: string, fields: Readonly<Record<string, unknown>>) => string;
  readonly timeline: string;
  readonly noEvents: string;
  readonly by: (who: string) => string;
  readonly commitUnread: string;
  readonly changedFiles: (count: number) => string;
}

/** A field of an event as text. */
export function field(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
