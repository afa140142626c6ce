export {
  BASE_REF,
  BY_HTTP,
  FILES,
  FILES_FOLDER,
  gitAccess,
  resultRef,
  WORK,
  workUrl,
} from "./by-git.ts";
export { type HubFleetOptions, hubError, openHubFleet } from "./hub.ts";
export { type HubClient, type HubFailure, hubAddress, openHub } from "./hub-client.ts";
export { createLocalFleet, type LocalFleetOptions } from "./local.ts";
