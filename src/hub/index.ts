export { type EngineParts, findEngine, type KeyedEngine, startEngine } from "./engine.ts";
export { createGitService, type GitService } from "./git.ts";
export { createHub, type Hub } from "./hub.ts";
export { PATIENCE, type Patience } from "./patience.ts";
export { isLoopback, LEAST_ROOM, type Served, type ServeOptions, serveHub } from "./serve.ts";
export {
  addToken,
  createTokenBook,
  type KnownToken,
  readTokens,
  revokeToken,
  type TokenBook,
} from "./tokens.ts";
