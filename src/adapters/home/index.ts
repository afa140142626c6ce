export { homeState, isKept, makeFolders, projectHome } from "./folder.ts";
export {
  type Joined,
  readAttempted,
  readBelieved,
  readJoined,
  readWorked,
  type Worked,
  writeAttempted,
  writeBelieved,
  writeJoined,
  writeWorked,
} from "./record.ts";
export { openSealing } from "./sealing.ts";
export { isReplaced, rememberSocket } from "./socket.ts";
