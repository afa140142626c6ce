export { attemptHere } from "./attempt-here.ts";
export type { Bench } from "./bench.ts";
export { LEAST_ROOM, openWorker, type WorkerRequest } from "./open.ts";
export { type Rules, readRules } from "./rules.ts";
export { startWorker, type Worker, type WorkerNews, type WorkerOptions } from "./worker.ts";
