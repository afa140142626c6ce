export { filesOfCommits, prefixOf } from "./commit-files.ts";
export { type CheckpointFolder, type Kept, openCheckpoints } from "./folder.ts";
export { type KeeperOptions, localKeeper } from "./keeper.ts";
export { type Mended, mendCheckpoints } from "./mend.ts";
export { storeCheckpoint, storeIndex } from "./store.ts";
