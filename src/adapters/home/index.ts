export { homeState, isKept, makeFolders, projectHome } from "./folder.ts";
export { readAttempted, readWorked, type Worked, writeAttempted, writeWorked } from "./record.ts";
export { openSealing } from "./sealing.ts";
export { isReplaced, rememberSocket } from "./socket.ts";
