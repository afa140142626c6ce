import { createLibrary, type Library } from "../context/library/index.ts";
import { createSharedContext, type Ledger, type SharedContext } from "../context/shared/index.ts";
import type { Reason } from "../ports/index.ts";
import type { RunState } from "../run/index.ts";
import { createCodec, DEFAULT_SYNC_POLICY } from "../sync/index.ts";
import { countTokens, createTokenCache } from "../tokens/index.ts";
import { DEFAULT_TREE } from "./attempt/index.ts";
import type { EngineOptions, World } from "./world.ts";

/** The project's documents and their tree, as one process works with them. */
export interface ProjectContext {
  readonly shared: SharedContext;
  readonly library: Library;
}

/** What the context needs of the loop it lives in. */
export interface ContextHome {
  readonly ledger: Ledger;
  readonly run: Pick<RunState, "plan" | "byId" | "only">;
  /** Tells people something that is no event of the run itself. */
  readonly tell: (code: string, message: Reason, task?: string) => void;
}

/** The shared context over the store's documents, and the tree they hang on. */
export function openContext(
  {
    store,
    documents,
    summarizer,
    kept,
    archive,
    changed,
  }: Pick<World, "store" | "documents" | "summarizer" | "kept" | "archive" | "changed">,
  options: Pick<EngineOptions, "context" | "tree">,
  { ledger, run, tell }: ContextHome,
): ProjectContext {
  const { tree = DEFAULT_TREE } = options;
  const shared = createSharedContext({
    rows: store.context,
    ledger,
    policy: options.context ?? DEFAULT_SYNC_POLICY,
    codec: createCodec(countTokens),
  });
  const library = createLibrary({
    rows: store.context,
    shared,
    ledger,
    plan: () => run.plan,
    files: documents,
    // Where only some tasks run nobody would do it.
    options: run.only === undefined ? tree : { ...tree, research: 0 },
    count: createTokenCache().count,
    tell,
    summarizer,
    kept,
    archive,
    changed,
    standing: id => run.byId.get(id),
  });
  return { shared, library };
}
