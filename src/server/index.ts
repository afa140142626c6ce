export type { BudgetFacts, LinkFacts, LogTail, Lookout, News, Reading } from "./lookout.ts";
export { type Dashboard, type ServeOptions, serveDashboard } from "./serve.ts";
