export type { BudgetFacts, LinkFacts, LogTail, Lookout, News, Reading } from "../host/monitor/types.ts";
export { type Dashboard, type ServeOptions, serveDashboard } from "./serve.ts";
