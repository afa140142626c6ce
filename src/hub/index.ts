export { type EngineParts, findEngine, type KeyedEngine, startEngine } from "./engine.ts";
export { createGitService, type GitService } from "./git.ts";
export { createHub, type Hub, PATIENCE, type Patience } from "./hub.ts";
export { isLoopback, type Served, type ServeOptions, serveHub } from "./serve.ts";
export { addToken, createTokenBook, type KnownToken, readTokens, revokeToken } from "./tokens.ts";
