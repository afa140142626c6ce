export type TaskKind = "worker" | "context-fill";

/** What a field's value is in the plan, by the kind of value that its row names; how each is read stands in `values.ts`. */
export interface ValueKinds {
  /** One name, or the names of several that work on it at once. */
  readonly agent: string | readonly string[];
  readonly choice: string;
  /** Shell: a fence, a code span, or plain words behind our own spelling of the name. */
  readonly command: string;
  /** A whole number from 1 to the row's `most`. */
  readonly count: number;
  readonly folder: string;
  readonly kind: TaskKind;
  /** One word of letters, digits, `-`, `.`, `_` and `:`. */
  readonly name: string;
  /** Words like `db` and `port:3000`; prose is none of them. */
  readonly names: readonly string[];
  readonly node: string;
  readonly paths: readonly string[];
  /** The name of an agent, or `no`. */
  readonly reviewer: string;
  readonly role: string;
  /** The words as written, markup left off. */
  readonly text: string;
  readonly words: readonly string[];
  readonly yesNo: boolean;
}

export type ValueKind = keyof ValueKinds;

/** How a field of a task is written, where, and what it says. */
interface Written {
  /** How the page about task files tells it; names that are not told are read, and never proposed. */
  readonly taught?: {
    /** Names that are proposed for one that is a slip away; the first is the one we write. */
    readonly names: string;
    /** Other names worth knowing. */
    readonly also?: string;
    readonly example: string;
    readonly effect: string;
  };
  /** All its names, without spaces, `_` and `-`, in lower case. */
  readonly names: string;
  /** Its value may go on in the lines below. */
  readonly goesOn?: true;
  /** Its value may be a code fence, or the lines below `|`. */
  readonly isCode?: true;
  /** A YAML block below the task may hold it. Commands may not stand there. */
  readonly inYaml?: true;
  /** A column of a table may. */
  readonly inRow?: true;
  /** Parentheses in a title may. */
  readonly inTitle?: true;
  /** Only a task has it: what it stands below is one. */
  readonly marksTask?: true;
}

/** A field whose value stands in the plan, under the key of its row. */
export interface Valued extends Written {
  readonly value: ValueKind;
  /** Of a choice: the words that are understood, each with what it means. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Of a count: the largest. */
  readonly most?: number;
  /** Every task has a value of it, whatever the file says. */
  readonly always?: true;
  /** Tasks without it have that of the nearest container or group around them. */
  readonly isHandedDown?: true;
}

/** What the table of fields says of one. */
export type FieldRow = Valued | (Written & { readonly value?: undefined });
