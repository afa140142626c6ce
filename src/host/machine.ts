// What a machine that only carries orders out shares with one that runs plans.
export { redactorOf } from "./project/secrets.ts";
export { CACHES, jailOf, projectAgents } from "./run/agents.ts";
export { projectJail } from "./run/jail.ts";
