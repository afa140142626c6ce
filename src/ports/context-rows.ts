import type { Result } from "./result.ts";
import type { StoreFailure } from "./store-failure.ts";

/** A versioned document of the project as the lead keeps it; its text is that of its newest version. */
export interface LabelRow {
  /** The short name in messages, e.g. `GC`. */
  readonly label: string;
  /** Rises with every change of the label's state. */
  readonly serial: number;
  /** The gate that holds its updates back, as JSON; absent when none is open. */
  readonly gate?: string;
}

/** One version of a label. Texts are kept apart, by their hash, and may be dropped once superseded and not needed. */
export interface VersionRow {
  readonly label: string;
  readonly number: number;
  /** SHA-256 of the UTF-8 text, 64 hexadecimal digits. */
  readonly hash: string;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Who published it: a person, `file`, or task and attempt. Foreign text. */
  readonly by: string;
  /** Teammates it concerns and what they must do, as JSON; absent where the publisher named none. */
  readonly impact?: string;
}

/** What one teammate holds of one label; `record` is the sync room's JSON. */
export interface TeammateRow {
  readonly label: string;
  readonly teammate: string;
  readonly record: string;
}

export type NodeStatus = "active" | "completed" | "abandoned" | "merged";

/** A node of the context tree. Its id never becomes a path. */
export interface NodeRow {
  readonly id: string;
  /** Absent on the root. */
  readonly parent?: string;
  readonly status: NodeStatus;
  readonly createdAt: number;
  /** What made it: `plan`, or task and attempt. */
  readonly by: string;
  /** The node it was merged into. */
  readonly mergedInto?: string;
}

/** A document on a node. The same label may hang on several nodes. */
export interface DocumentRow {
  readonly node: string;
  readonly label: string;
  /** `shared` documents precede a node's own ones. */
  readonly place: "shared" | "own";
  /** Position among the node's documents of its place. */
  readonly position: number;
  /** Where it comes from (file, fill, ADD_CONTEXT, person), as JSON. */
  readonly source: string;
  /** Taken back: it is kept for the record and read by nobody. */
  readonly withdrawn: boolean;
}

/** What one attempt was given to read, part by part, as JSON. */
export interface ReceiptRow {
  readonly task: string;
  readonly attempt: number;
  readonly receipt: string;
}

/** A line of the context's history, as JSON. */
export interface ContextLogEntry {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly label: string;
  readonly entry: string;
}

/** A line in its place: `seq` rises by one without gaps. */
export interface ContextLogRow extends ContextLogEntry {
  readonly seq: number;
}

/** The context's part of one atomic change. Rows are replaced by their key, texts put once. */
export interface ContextChange {
  /** Put where not yet kept; `hash` is the SHA-256 of the text. */
  readonly texts?: readonly { readonly hash: string; readonly text: string }[];
  readonly labels?: readonly LabelRow[];
  readonly versions?: readonly VersionRow[];
  readonly teammates?: readonly TeammateRow[];
  readonly nodes?: readonly NodeRow[];
  readonly documents?: readonly DocumentRow[];
  readonly receipts?: readonly ReceiptRow[];
  /** Appended; the store gives each its number. */
  readonly log?: readonly ContextLogEntry[];
  /** Hashes of texts that nobody needs any more; a text that the same change puts stays. */
  readonly dropTexts?: readonly string[];
  /** Teammates that are forgotten; one that the same change puts stays. */
  readonly dropTeammates?: readonly Omit<TeammateRow, "record">[];
}

/** The project's context, without its texts; rows in the order in which they were first committed. */
export interface StoredContext {
  readonly labels: readonly LabelRow[];
  readonly versions: readonly VersionRow[];
  readonly teammates: readonly TeammateRow[];
  readonly nodes: readonly NodeRow[];
  readonly documents: readonly DocumentRow[];
  readonly lastSeq: number;
}

/** The reading half of the context's durable state; it is written through `Store.commit`. */
export interface ContextRows {
  load(): Result<StoredContext, StoreFailure>;
  /** A text by its hash, checked against it; undefined when it was dropped or never kept. */
  text(hash: string): Result<string | undefined, StoreFailure>;
  /** History in order, from `afterSeq` on, at most `limit`. */
  log(afterSeq: number, limit: number): Result<readonly ContextLogRow[], StoreFailure>;
  /** Receipts of a task's attempts in a run, oldest first. */
  receipts(run: string, task: string): Result<readonly ReceiptRow[], StoreFailure>;
}
