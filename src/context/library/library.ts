import {
  type AskedPart,
  type CountTokens,
  createLayouts,
  type Layouts,
  type PackageLimits,
  type PackageReceipt,
} from "../../assembly/index.ts";
import { type Budget, createSessionTier, TIER_POLICIES } from "../../budget/index.ts";
import type { ContextNodeDeclaration, Plan, Task } from "../../plan/index.ts";
import { because, type ContextRows, type Model, type Reason } from "../../ports/index.ts";
import type { DigestState } from "../../summary/index.ts";
import { textHash } from "../../text/index.ts";
import { nodeName, ROOT, restoreTree, type ScanLimits, type Tree } from "../../tree/index.ts";
import { type ContextWork, joinSteps, type Ledger, type SharedContext } from "../shared/index.ts";
import type { DocumentFiles } from "./files.ts";
import { asChange, growTree, newTree } from "./grow-tree.ts";
import type { ChangedFiles, SummaryMemory } from "./result-levels.ts";
import { revertAttempt } from "./revert.ts";
import type { Uses } from "./uses.ts";
import { WindowSoFar } from "./window-so-far.ts";
import type { OutputMemory, Standing } from "./window-use.ts";

/** How the context tree of a project is used; `espalier.yaml` says it under `context`. */
export interface TreeOptions {
  readonly limits: PackageLimits;
  /** Tokens of what tasks further back than direct dependencies handed over; 0: none of it is told. */
  readonly earlier: number;
  /** Whose blocks are taken in: of completed attempts, of all, or nobody's. */
  readonly addContext: "accepted" | "always" | "off";
  /** Which nodes a block may name: those its task reads, or any. */
  readonly addScope: "path" | "any";
  readonly scan: ScanLimits;
  /** Whether agents are asked to hand over at the end of their answers, and once more where that is missing. */
  readonly handover: "repair" | "ask" | "off";
  /** Whether what attempts ask for, cite or contradict is worth more, or less, to those after them. */
  readonly learn: boolean;
  /** What outputs may take of a package, and how they are carried on; without it they go in whole or shortened. */
  readonly budget?: Budget;
  /** Research tasks that workers may ask for in one run. */
  readonly research: number;
  /** Role prompts that replace ours, as repository paths. */
  readonly prompts: { readonly worker?: string; readonly contextFill?: string };
}

/** A model that condenses long outputs, and what it may be asked. */
export interface Summarizer {
  readonly model: Model;
  /** Tokens of an output in one question. */
  readonly maxInputTokens: number;
  readonly timeoutMs: number;
}

/** An output of an earlier run, at the level it was kept at. */
export interface KeptOutput {
  readonly text: string;
  readonly level: 1 | 2 | 3;
  /** SHA-256 of the original. */
  readonly source: string;
}

/** Where texts are kept for later processes: what models made of outputs, and levels as readers were told them. */
export interface Archive {
  get(kind: "digests" | "told", key: string): string | undefined;
  /** A text that cannot be kept is told by whoever keeps it. */
  put(kind: "digests" | "told", key: string, text: string): void;
}

export interface LibraryParts {
  readonly rows: ContextRows;
  readonly shared: SharedContext;
  readonly ledger: Ledger;
  readonly plan: () => Plan;
  readonly files: DocumentFiles | undefined;
  readonly options: TreeOptions;
  readonly count: CountTokens;
  readonly summarizer?: Summarizer | undefined;
  /** What earlier runs have kept of an output, by `keptKey`: the finest level that may still be used. */
  readonly kept?: ((key: string, now: number) => KeptOutput | undefined) | undefined;
  readonly archive?: Archive | undefined;
  readonly changed?: ChangedFiles | undefined;
  /** Where the run's tasks stand; without it nobody shares a window. */
  readonly standing?: ((task: string) => Standing | undefined) | undefined;
  readonly tell: (code: string, message: Reason, task?: string) => void;
}

/**
 * The context tree of a running project with everything that attempts read through it. The tree is restored when it is first
 * needed and changes only within works of the one ledger, so that what it says is what is durable or about to be.
 */
export interface Library extends LibraryParts {
  readonly layouts: Layouts;
  readonly summaries: SummaryMemory;
  /** What completed tasks of a workflow have handed on. */
  readonly outputs: OutputMemory;
  /** How the window of a run without one stands. */
  readonly window: WindowSoFar;
  /** Whether outputs were handed on in brief when the last package was made; undefined before the first. */
  inBrief: boolean | undefined;
  /** What a model has said of long outputs; undefined where it was of no use. */
  readonly condensed: Map<string, DigestState | undefined>;
  /** When a package last gave a node's documents, by node: epoch milliseconds. */
  readonly readAt: Map<string, number>;
  /** What became of sources: over the whole run, once receipts are read, and what each attempt has asked for (`T1.2#1`). */
  readonly asked: {
    uses: Map<string, Uses> | undefined;
    readonly byAttempt: Map<string, readonly AskedPart[]>;
    /** Receipts of attempts that have not ended, as they were written last. */
    readonly written: Map<string, PackageReceipt>;
  };
  /** Shortened texts that are kept already, by their names in receipts. */
  readonly toldBefore: Set<string>;
  /** What a model is reading now, by the same keys. */
  readonly condensing: Map<string, Promise<void>>;
  /** The tree; undefined where what is stored cannot be read, which is told once. */
  tree(now: number): Tree | undefined;
  /** Makes the plan's nodes, as a part of another change; nothing where they are made. */
  readonly grow: ContextWork;
  /** Whether `grow` has something to do. */
  isGrown(): boolean;
  /** Takes back what an attempt handed over; the labels that were still read, undefined when the process is leaving. */
  revert(task: string, attempt: number): Promise<readonly string[] | undefined>;
  /** SHA-256 of a label's newest text; undefined without one. */
  hashOf(label: string): string | undefined;
  /** Remembers the hash of a text that was computed anyway. */
  noteHash(label: string, version: number, hash: string): void;
  /** What the plan or the configuration declares of a node. */
  declared(node: string): ContextNodeDeclaration | undefined;
}

/** The node whose documents a task reads: its own, the one it fills, or the root. */
export function nodeRead(task: Pick<Task, "contextRef" | "fills">): string {
  return nodeName(task.contextRef ?? task.fills ?? ROOT);
}

/** A library over a project's shared context and store. */
export function createLibrary(parts: LibraryParts): Library {
  const { rows, shared, plan, tell } = parts;
  let tree: Tree | undefined;
  let state: "closed" | "open" | "damaged" = "closed";
  /** Rows of a root that is not stored yet; they go with the next change. */
  let unsaved: ReturnType<typeof newTree>["rows"] | undefined;
  const hashes = new Map<string, { version: number; hash: string }>();
  let grownTo: Plan | undefined;
  let declared: { of: Plan; nodes: Map<string, ContextNodeDeclaration> } | undefined;

  function open(now: number): Tree | undefined {
    if (state !== "closed") return tree;
    const stored = rows.load();
    const restored = stored.ok ? restoreTree(stored.value) : stored;
    if (!restored.ok) {
      state = "damaged";
      const { failure } = restored;
      const message = typeof failure === "string" ? failure : `the store cannot be read (${failure.kind})`;
      tell("CONTEXT_TREE", because("tree-unreadable", { said: message }));
      return undefined;
    }
    state = "open";
    tree = restored.value;
    if (tree === undefined) ({ tree, rows: unsaved } = newTree(now));
    return tree;
  }

  return {
    ...parts,
    layouts: createLayouts(),
    summaries: createSessionTier((parts.options.budget?.tiers.policies ?? TIER_POLICIES).session.maxBytes),
    condensed: new Map(),
    condensing: new Map(),
    readAt: new Map(),
    asked: { uses: undefined, byAttempt: new Map(), written: new Map() },
    toldBefore: new Set(),
    outputs: new Map(),
    window: new WindowSoFar(),
    inBrief: undefined,
    tree: open,
    isGrown: () => grownTo === plan(),
    grow: now => {
      const growing = open(now);
      if (growing === undefined || grownTo === plan()) return undefined;
      grownTo = plan();
      const grown = asChange(growTree(growing, plan().contextNodes, now));
      const root = unsaved === undefined ? undefined : asChange(unsaved);
      unsaved = undefined;
      return joinSteps([root, grown].map(rows => (rows === undefined ? undefined : { rows })));
    },
    async revert(task, attempt) {
      let labels: readonly string[] = [];
      const done = await parts.ledger.commit(now => {
        const reverting = open(now);
        if (reverting === undefined) return undefined;
        const reverted = revertAttempt(reverting, task, attempt);
        labels = reverted.labels;
        return reverted.step;
      });
      return done ? labels : undefined;
    },
    hashOf(label) {
      const lead = shared.lead(label);
      const version = lead.ok ? lead.value?.versions.at(-1)?.number : undefined;
      if (version === undefined) return undefined;
      const known = hashes.get(label);
      if (known?.version === version) return known.hash;
      const text = shared.text(label);
      if (!text.ok || text.value === undefined) return undefined;
      const hash = textHash(text.value.text);
      hashes.set(label, { version, hash });
      return hash;
    },
    noteHash: (label, version, hash) => void hashes.set(label, { version, hash }),
    declared(node) {
      const now = plan();
      if (declared?.of !== now)
        declared = { of: now, nodes: new Map(now.contextNodes.map(one => [nodeName(one.id), one])) };
      return declared.nodes.get(node);
    },
  };
}
