export type { Lookout, LogTail, News, Reading } from "./lookout.ts";
export { type Dashboard, type ServeOptions, serveDashboard } from "./serve.ts";
