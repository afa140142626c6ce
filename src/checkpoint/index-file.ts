import { told } from "../text/index.ts";
import { type History, type Problem, problem, standingOf } from "./history.ts";
import { deltaName } from "./names.ts";
import { writeRow } from "./table.ts";

/** Name of the folder's table of contents. */
export const INDEX_FILE = "INDEX.md";

/** The table of contents of a folder of checkpoints. It is derived: the files are the truth. */
export function writeIndex(history: History): string {
  const rows = history.order.map(id => {
    const state = history.states.get(id);
    const parent = history.parents.get(id);
    const link = parent === undefined ? undefined : history.links.get(deltaName(parent, id));
    const kept = state === undefined ? "" : `[${id}](${state.file})`;
    return writeRow([
      kept === "" ? id : kept,
      state?.created ?? link?.created ?? "",
      parent ?? "",
      standingOf(history, id),
      link === undefined ? "" : `[${deltaName(link.from, link.to)}](${link.file})`,
      link?.summary ?? "",
    ]);
  });
  const current = history.current === undefined ? "none" : history.current;
  return [
    "# Checkpoints",
    "",
    `Current: ${current}. Written by \`espalier checkpoint\`; \`espalier checkpoint doctor\` checks it against the files.`,
    "",
    "| Checkpoint | Created | Parent | Status | Delta | Summary |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

/** Whether a table of contents tells what is there; undefined when it does. */
export function checkIndex(history: History, written: string | undefined): Problem | undefined {
  if (history.order.length === 0 && written === undefined) return undefined;
  if (written === undefined) return problem("INDEX", "repair", [INDEX_FILE], told`There is no ${INDEX_FILE}`);
  if (written === writeIndex(history)) return undefined;
  return problem("INDEX", "repair", [INDEX_FILE], told`${INDEX_FILE} is not what the files say`);
}
