export { createLocalFleet, type LocalFleetOptions } from "./local.ts";
