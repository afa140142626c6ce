import type { Breakpoint, CacheRates } from "../budget/index.ts";
import type { DocumentOrigin, PackageWords } from "../text/index.ts";

/** A document as an attempt may read it. */
export interface PackageDocument {
  /** Letters, digits, `-`, `_`, `.`; names it in updates. */
  readonly label: string;
  readonly version: number;
  readonly text: string;
  /** SHA-256 of the text, 64 hexadecimal digits. */
  readonly hash: string;
  readonly origin: DocumentOrigin;
  /** By which it is asked for where it is not given whole: a path of the repository, else its label. */
  readonly name: string;
}

/** One node on the way from the root, with the documents that are read on its account. */
export interface PackageNode {
  readonly id: string;
  readonly documents: readonly PackageDocument[];
  /** Documents whose text an earlier one has already. */
  readonly repeated: readonly { readonly document: PackageDocument; readonly of: string }[];
}

/** The final message of a task this one builds on. Foreign text. */
export interface PackageResult {
  readonly task: string;
  readonly attempt: number;
  readonly text: string;
  /** SHA-256 of the text. */
  readonly hash: string;
  /** The commit its accepted work has, where git keeps it. */
  readonly commit?: string;
  /** Of an earlier run no more was kept than this level of it, which the text is. */
  readonly level?: 1 | 2 | 3;
  /** What it hands over, where no more of it is told than that: its task lies further back than those that were waited for. */
  readonly handover?: string;
}

/** One form in which a document or a result can be told. */
export interface SourceForm {
  readonly level: 0 | 1 | 2 | 3;
  readonly text: string;
  /** Share of what it says that this form keeps, 0 to 1. */
  readonly retention: number;
  /** Under which the text is kept, where it is. */
  readonly kept?: string;
}

/** A limit that kept a text from being told whole: its name in the configuration, and how many tokens it allows. */
export interface Bound {
  readonly limit: string;
  readonly tokens: number;
  /** What that comes to in the o200k tokens that parts are counted in, where its reader counts others. */
  readonly counted?: number;
}

/** What may be told of a source, and what it is worth. */
export interface SourceLevels {
  /** The finest that may be told first. */
  readonly forms: readonly SourceForm[];
  readonly priority: number;
  /** It is told before others are. */
  readonly critical?: boolean;
  /** Why its finest form is not the whole, where it is not. */
  readonly why?: Extract<
    PartReason,
    "longer-than-a-result-may-be" | "stage-level" | "compression" | "earlier-run" | "further-back"
  >;
  /** The limit behind that. */
  readonly bound?: Bound;
}

/** An attempt of the task that did not succeed. */
export interface PackageAttempt {
  readonly number: number;
  /** What it was judged to be, in one line. */
  readonly how: string;
  /** What it tried and where it stopped: the end of its output. Foreign text. */
  readonly told: string;
}

/** What is known of the prompt cache, and of who is still to read. */
export interface Outlook {
  readonly rates: CacheRates;
  /** Attempts that are to read a node's documents, this one included. */
  readonly turns: (node: string) => number;
  /** Nothing that was read of the node can be stored any more. */
  readonly cold: (node: string) => boolean;
}

/** Everything one attempt is to read, before it is fitted into its budget. */
export interface PackageRequest {
  readonly kind: "worker" | "context-fill";
  /** From the root to the node it reads; at least the root. */
  readonly path: readonly PackageNode[];
  /** Role and rules: the same text for every attempt of its kind. Empty: none. */
  readonly role: string;
  readonly results: readonly PackageResult[];
  /** How each result may be told; `all`: not everything fits, so that shorter forms are wanted. Without it: whole or not at all. */
  readonly resultLevels?: (result: PackageResult, position: number, all: boolean) => SourceLevels;
  /** The same for documents, asked for only where not everything fits; `distance`: nodes between it and the reader's own. */
  readonly documentLevels?: (document: PackageDocument, distance: number) => SourceLevels;
  /** Oldest first. */
  readonly attempts: readonly PackageAttempt[];
  readonly task: string;
  /** What is to be done and how to report it: the only part that differs between equal attempts. */
  readonly assignment: string;
  readonly words: PackageWords;
  readonly limits: PackageLimits;
  /** The limits of another try, where a package within `limits` is none that its reader can hold. */
  readonly stricter?: (tried: ContextPackage) => PackageLimits | undefined;
  /** Decides when appended changes are folded into their documents; without it only their size does. */
  readonly outlook?: Outlook;
}

/** Tokens a package may have. */
export interface PackageLimits {
  /** In all. Only role and task are given even beyond it, and then alone. */
  readonly tokens: number;
  /** Of one document, where not everything fits; absent: what there is. */
  readonly document?: number | undefined;
  /** Of one result, where not everything fits; absent: what there is. */
  readonly result?: number | undefined;
  /** Of all results together; absent: what there is. */
  readonly results?: number | undefined;
}

/** The limits used where none are given. */
export const PACKAGE_LIMITS: PackageLimits = { tokens: 150_000 };

export type PartKind = "role" | "document" | "update" | "result" | "attempt" | "task" | "heading";

/** Summary levels; 0 is the full text. `pointer`: only named, to be asked for. */
export type PartLevel = 0 | 1 | 2 | 3 | "pointer";

/** Why a part is in or out. */
export type PartReason =
  /** It fits. */
  | "given"
  /** A limit of its own binds it. */
  | "longer-than-a-document-may-be"
  | "longer-than-a-result-may-be"
  | "no-room"
  /** Its stage of the workflow hands on no more than this level. */
  | "stage-level"
  /** The window for outputs is four fifths full: outputs are handed on in brief. */
  | "compression"
  /** Its task was completed in an earlier run, of which only this level was kept. */
  | "earlier-run"
  /** Its task is no direct dependency: only what it handed over is told. */
  | "further-back"
  /** The text of `source` is given already. */
  | "same-text"
  /** Declared, but it could not be read. */
  | "unreadable"
  /** Only the newest attempts are told in full. */
  | "older-attempt";

/** One part of a package, as its receipt lists it. */
export interface ReceiptPart {
  readonly kind: PartKind;
  /** A label, `T1.1#2`, or what the kind says already. */
  readonly source: string;
  readonly node?: string;
  readonly version?: number;
  /** First 12 digits of the SHA-256 of the source's whole text. */
  readonly hash?: string;
  /** Tokens in the package, delimiters included; 0 for what is out. */
  readonly tokens: number;
  readonly level: PartLevel;
  readonly in: boolean;
  readonly why: PartReason;
  /** What it repeats, for `same-text`. */
  readonly of?: string;
  /** Under which the text is kept that stands for the source. */
  readonly kept?: string;
  /** Tokens of the source's whole text, where less of it is given. */
  readonly whole?: number;
  /** Which limit kept it from being given whole. */
  readonly bound?: Bound;
}

/** A document's change that an attempt was told of while it ran. */
export interface LivePart {
  readonly label: string;
  readonly version: number;
  readonly tokens: number;
  readonly acknowledged: boolean;
}

/** What an attempt asked for by name while it ran. */
export interface AskedPart {
  readonly source: string;
  /** Of one answer. */
  readonly tokens: number;
  readonly times: number;
}

/** What an attempt named in its answer, as its source or to say that it is wrong. */
export interface CitedPart {
  /** A label, or the id of a task. */
  readonly source: string;
  /** Statements that name it, and how many of them say that it is wrong. */
  readonly times: number;
  readonly against: number;
  /** The first statement that says so, else the first that names it; foreign, on one line, at most 200 characters. */
  readonly said: string;
}

/** What one attempt was given to read: the tokens of its parts add up to those of the package. */
export interface PackageReceipt {
  readonly form: 1;
  readonly node: string;
  readonly tokens: number;
  readonly limit: number;
  /** What it shares, byte for byte from the beginning, with the last package of its kind for this node. */
  readonly prefix: { readonly tokens: number; readonly bytes: number };
  /** Where a provider should be told that a stored prefix ends; absent where nothing is worth storing. */
  readonly breakpoints?: readonly Breakpoint[];
  readonly parts: readonly ReceiptPart[];
  /** Told later, in their order; not among the package's tokens. Absent for none. */
  readonly live?: readonly LivePart[];
  /** Asked for by name while it ran; not among the package's tokens. Absent for none. */
  readonly asked?: readonly AskedPart[];
  /** Named in its accepted answer. Absent for none. */
  readonly cited?: readonly CitedPart[];
  /** What its reader may hand on in turn, and in which stage of the workflow; absent where there is none. */
  readonly share?: { readonly tokens: number; readonly stage: string };
  /** What the package is to its reader's own model: likely, and at most. Absent where that is `tokens`. */
  readonly reader?: { readonly model: string; readonly likely: number; readonly upper: number };
}

/** A text of a package with its line of the receipt. */
export interface Piece {
  /** Ends with a blank line. */
  readonly text: string;
  readonly part: ReceiptPart;
}

/** What an attempt is given, and the account of it. */
export interface ContextPackage {
  readonly text: string;
  readonly receipt: PackageReceipt;
}

/** Counts tokens; best one that remembers. */
export type CountTokens = (text: string) => number;
