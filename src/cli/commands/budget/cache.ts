import { TIERS, type TierName } from "../../../budget/index.ts";
import { archiveFiles, projectTiers } from "../../../host/run/keep-outputs.ts";
import { EXIT } from "../../../ports/index.ts";
import { visible } from "../../../text/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { projectOf } from "../../project.ts";
import { budgetWords } from "../../views/words/budget-words.ts";
import { projectBudget } from "./show.ts";

const KIB = 1024;
const ARCHIVE = ["digests", "told"] as const;

function size(bytes: number): string {
  return bytes < KIB ? `${bytes} B` : `${(bytes / KIB).toFixed(1)} KB`;
}

/** `espalier budget cache list`: what the tiers on disk hold, and what of it may be used. */
export function listCache(io: Io, options: { json?: boolean }): number {
  const project = projectOf(io);
  const words = budgetWords(project.locale);
  const tiers = projectTiers(project, projectBudget(project));
  const now = Date.now();
  const lists = TIERS.filter(tier => tier !== "session").map(tier => [tier, tiers.list(tier, now)] as const);
  if (options.json === true) {
    const rows = lists.flatMap(([tier, kept]) =>
      kept.map(({ entry: { key, level, at, source }, state, bytes }) => ({
        tier,
        key,
        level,
        state,
        bytes,
        at,
        source,
      })),
    );
    sayJson(io, rows);
    return EXIT.done;
  }
  for (const [tier, kept] of lists) {
    if (kept.length === 0) continue;
    const bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
    say(io, words.cached(tier, kept.length, size(bytes)));
    for (const { entry, state, bytes: own } of kept) {
      const age = new Date(entry.at).toISOString().slice(0, 16).replace("T", " ");
      say(
        io,
        `  ${age}  ${words.levels[entry.level].padEnd(8)}  ${size(own).padStart(8)}  ${state === "valid" ? "" : `[${state}] `}${visible(entry.key, 100)}`,
      );
    }
  }
  const archive = archiveFiles(project, projectBudget(project));
  for (const kind of ARCHIVE) {
    const { texts, bytes } = archive[kind].size();
    if (texts > 0) say(io, words.archived(kind, texts, size(bytes)));
  }
  if (lists.every(([, kept]) => kept.length === 0)) say(io, words.emptyCache);
  return EXIT.done;
}

/** `espalier budget cache clear [TIER]`. */
export function clearCache(io: Io, tier: TierName | undefined): number {
  const project = projectOf(io);
  const budget = projectBudget(project);
  const cleared = projectTiers(project, budget).clear(tier);
  // What was made of outputs goes with all of them.
  if (tier === undefined) for (const kind of ARCHIVE) archiveFiles(project, budget)[kind].clear();
  say(io, budgetWords(project.locale).cleared(cleared));
  return EXIT.done;
}
