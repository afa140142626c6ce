export type { BudgetFacts, LinkFacts, LogTail, Monitor, News, Reading } from "../host/monitor/types.ts";
export { type Dashboard, type ServeOptions, serveDashboard } from "./serve.ts";
