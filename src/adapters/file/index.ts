export { type FileCalls, type FileFacts, nodeFileCalls, type OpenWay, unsyncedFileCalls } from "./calls.ts";
export { type ReadFailure, type WriteFailure, writeFailure } from "./failure.ts";
export { NotOwned } from "./hold.ts";
export {
  directFileCalls,
  entriesOwned,
  makeDirectFolder,
  makeOwnedFolder,
  ownedFileCalls,
  removeOwned,
  requireOwnFile,
  unsyncedOwnedCalls,
} from "./owned.ts";
export { CONFIG_FILE, type ProjectRoot, projectRoot, type RootFailure } from "./project-root.ts";
export { type Published, publish, syncDirectory } from "./publish.ts";
export { type ReadOptions, readBounded } from "./read-bounded.ts";
export { type FileEnd, readEnd } from "./read-end.ts";
export { removeEntries } from "./remove-entries.ts";
export { roomIn } from "./room.ts";
export { nodeSync, type SyncCall, syncAll } from "./sync-all.ts";
export { isTemporaryName, sweepTemporaries, temporaryName } from "./temporaries.ts";
export { isBelow, isWithin, wayTo } from "./way-to.ts";
export { type WriteOptions, writeAtomic } from "./write-atomic.ts";
