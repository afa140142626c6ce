// What a machine that only carries orders out shares with one that runs plans.
export {
  attemptHook,
  attemptTools,
  openAttemptSocket,
  type WorkerRequest,
} from "./control/attempt-socket.ts";
export { redactorOf } from "./project/secrets.ts";
export { CACHES, jailOf, projectAgents } from "./run/agents.ts";
export { projectJail } from "./run/jail.ts";
