import type { Limits } from "./limits.ts";
import type { Report } from "./report.ts";
import type { ContextNodeDeclaration } from "./types.ts";

/** What every format reader is given besides the text. */
export interface ReadContext {
  readonly path: string;
  readonly allowMissing: boolean;
  readonly limits: Limits;
  /** Nodes of the context tree that the configuration declares. */
  readonly contextNodes: readonly ContextNodeDeclaration[];
  readonly report: Report;
}
