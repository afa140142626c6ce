export { projectHome } from "./folder.ts";
export { readWorked, type Worked, writeWorked } from "./record.ts";
export { openSealing } from "./sealing.ts";
export { isReplaced, rememberSocket } from "./socket.ts";
