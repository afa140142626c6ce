export type { Bench } from "./bench.ts";
export { startWorker, type Worker, type WorkerNews, type WorkerOptions } from "./worker.ts";
