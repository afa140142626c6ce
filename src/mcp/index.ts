export {
  CLIENTS,
  type ClientName,
  joined,
  type SetupFile,
  type StartLine,
  setupFor,
} from "./client-setup.ts";
export { type Answer, call, type Duties, Refusal } from "./duties.ts";
export { type ServeOptions, serveMcp } from "./serve.ts";
export {
  type Definition,
  definitionsFor,
  type Role,
  TOOLS,
  type ToolInput,
  type ToolName,
  toolsOf,
} from "./tools.ts";
