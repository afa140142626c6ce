/** Milliseconds for people: `850ms`, `4.2s`, `3m05s`, `2h10m`. What is no time at all counts as 0. */
export function duration(ms: number): string {
  const known = Number.isFinite(ms) && ms > 0 ? ms : 0;
  if (known < 999.5) return `${Math.round(known)}ms`;
  const tenths = Math.round(known / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(known / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, "0")}s`;
  return `${Math.floor(seconds / 3600)}h${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")}m`;
}

/** A wall time as ISO 8601; `?` for a number that is no time. */
export function isoTime(epochMs: number): string {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? "?" : date.toISOString();
}
