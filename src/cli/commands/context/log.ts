import { storeError } from "../../../host/project/errors.ts";
import { readContext } from "../../../host/session/context.ts";
import { type ContextLogRow, type ContextRows, EXIT } from "../../../ports/index.ts";
import { type SyncEvent, syncLogLine } from "../../../sync/index.ts";
import { type Locale, visible } from "../../../text/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { failure, openPlace } from "./ask.ts";
import { must, noSuchLabel } from "./must.ts";

/** Rows read at once. */
const PAGE = 500;

/** The newest entries, of one label where one is named, oldest first. */
function newest(rows: ContextRows, label: string | undefined, limit: number): ContextLogRow[] {
  const stored = rows.load();
  if (!stored.ok) throw storeError(stored.failure);
  const pages: ContextLogRow[][] = [];
  let found = 0;
  for (let end = stored.value.lastSeq; end > 0 && found < limit; end -= PAGE) {
    const from = Math.max(0, end - PAGE);
    const page = rows.log(from, end - from);
    if (!page.ok) throw storeError(page.failure);
    const meant = page.value.filter(row => label === undefined || row.label === label);
    found += meant.length;
    pages.push(meant);
  }
  return pages.reverse().flat().slice(-limit);
}

const SPOKEN: ReadonlySet<string> = new Set<SyncEvent["type"]>([
  "published",
  "unchanged",
  "refused",
  "joined",
  "left",
  "injected",
  "lost",
  "sent",
  "acked",
  "paused",
  "clarify",
  "requested",
  "timeout",
  "silent",
  "up-to-date",
  "withheld",
  "frozen",
  "gate-ready",
  "unfrozen",
]);

function logLine({ at, label, entry }: ContextLogRow, locale: Locale): string {
  const event = JSON.parse(entry) as { readonly type?: unknown };
  const told = SPOKEN.has(String(event.type))
    ? syncLogLine(label, event as SyncEvent, locale)
    : visible(`${label}: ${entry}`, 1_000);
  return `${new Date(at).toISOString()} ${told}`;
}

/** `espalier context log [LABEL]`: what happened to the shared context, newest last. */
export function log(io: Io, label: string | undefined, options: { limit: number; json?: boolean }): number {
  const { project, words } = openPlace(io);
  const rows = readContext(project, reading => {
    const found = newest(reading.rows, label, options.limit);
    const known = found.length > 0 ? [] : must(reading.shared.labels(), words);
    if (label !== undefined && known.length > 0 && !known.includes(label))
      throw noSuchLabel(words, known, label);
    return found;
  });
  if (rows === undefined) throw failure("NO_CONTEXT", words.noContext);
  if (options.json === true) {
    sayJson(
      io,
      rows.map(({ entry, ...row }) => ({ ...row, entry: JSON.parse(entry) as unknown })),
    );
    return EXIT.done;
  }
  if (rows.length === 0) say(io, words.nothing);
  for (const row of rows) say(io, logLine(row, project.locale));
  return EXIT.done;
}
