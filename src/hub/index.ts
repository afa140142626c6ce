export { type EngineParts, findEngine, type KeyedEngine, startEngine } from "./engine.ts";
export { createHub, type Hub, PATIENCE, type Patience } from "./hub.ts";
export { type Served, type ServeOptions, serveHub } from "./serve.ts";
export { addToken, createTokenBook, type KnownToken, readTokens, revokeToken } from "./tokens.ts";
