/** What can be looked at, in the order of the tabs. */
export const VIEWS = ["graph", "review", "context", "budget", "timeline"] as const;
export type View = (typeof VIEWS)[number];
