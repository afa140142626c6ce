export type { Foreign } from "./decide.ts";
export type { EpochStore } from "./epoch-store.ts";
export type { ImportedState } from "./import.ts";
export { type Inspection, inspectDatabase, type Position } from "./inspect.ts";
export { type MemoryOptions, type MemoryPlace, memoryPlace, openMemoryStore } from "./memory.ts";
export { type OpenedState, type OpenFailure, type OpenStateOptions, openState } from "./open.ts";
export { STATE_NAMES } from "./restore.ts";
export { createSeal, type Head, type Seal, type Sealing, sealThin } from "./seal.ts";
export { openSqliteReader, openSqliteStore, type SqliteOptions, type SqliteStore } from "./sqlite.ts";
