// What a machine that only carries orders out shares with one that runs plans.
export { openControl } from "./control/control.ts";
export { PROGRAM, TOOL_HOOK } from "./package.ts";
export { redactorOf } from "./project/secrets.ts";
export { CACHES, jailOf, projectAgents } from "./run/agents.ts";
export { projectJail } from "./run/jail.ts";
