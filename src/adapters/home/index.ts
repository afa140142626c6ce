export { homeState, isKept, makeFolders, projectHome } from "./folder.ts";
export {
  readAttempted,
  readBelieved,
  readWorked,
  type Worked,
  writeAttempted,
  writeBelieved,
  writeWorked,
} from "./record.ts";
export { openSealing } from "./sealing.ts";
export { isReplaced, rememberSocket } from "./socket.ts";
