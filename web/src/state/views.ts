/** What can be looked at, in the order of the tabs; the first is shown where nothing else is asked for. */
export const VIEWS = ["overview", "graph", "review", "context", "budget", "timeline"] as const;
export type View = (typeof VIEWS)[number];
