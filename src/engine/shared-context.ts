import type { Plan } from "../plan/index.ts";
import type { Reason } from "../ports/index.ts";
import { createCodec, DEFAULT_SYNC_POLICY } from "../sync/index.ts";
import { countTokens, createTokenCache } from "../tokens/index.ts";
import { DEFAULT_TREE } from "./attempt/index.ts";
import { createDesk, type Desk, type Ledger } from "./context/index.ts";
import { createLibrary, type Library, type Standing } from "./tree/index.ts";
import type { EngineOptions, World } from "./world.ts";

/** The project's documents and their tree, as one process works with them. */
export interface SharedContext {
  readonly desk: Desk;
  readonly library: Library;
}

/** What the context needs of the loop it lives in. */
export interface ContextHome {
  readonly ledger: Ledger;
  readonly plan: () => Plan;
  readonly standing: (task: string) => Standing | undefined;
  /** Tells people something that is no event of the run itself. */
  readonly tell: (code: string, message: Reason, task?: string) => void;
}

/** The desk over the store's documents, and the tree they hang on. */
export function openSharedContext(
  {
    store,
    documents,
    summarizer,
    kept,
    archive,
  }: Pick<World, "store" | "documents" | "summarizer" | "kept" | "archive">,
  options: Pick<EngineOptions, "context" | "tree">,
  { ledger, plan, standing, tell }: ContextHome,
): SharedContext {
  const desk = createDesk({
    rows: store.context,
    ledger,
    policy: options.context ?? DEFAULT_SYNC_POLICY,
    codec: createCodec(countTokens),
  });
  const library = createLibrary({
    rows: store.context,
    desk,
    ledger,
    plan,
    files: documents,
    options: options.tree ?? DEFAULT_TREE,
    count: createTokenCache().count,
    tell,
    summarizer,
    kept,
    archive,
    standing,
  });
  return { desk, library };
}
