import type { IncomingMessage, ServerResponse } from "node:http";
import type { KnownToken } from "./tokens.ts";

/** Serves the work of orders by git's own protocol. */
export type GitService = (
  request: IncomingMessage,
  response: ServerResponse,
  who: KnownToken,
) => Promise<void>;
