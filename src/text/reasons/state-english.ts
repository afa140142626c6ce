import type { StateNewsArgs } from "../../ports/index.ts";
import type { CatalogueOf } from "./catalogue.ts";

const as = (kept: string | undefined): string => (kept === undefined ? "" : `; kept as ${kept}`);

/** How the state of a project was found, and what was put right, in English. */
export const ENGLISH_STATE: CatalogueOf<StateNewsArgs> = {
  "state-file-missing": ({ file, kept }) => `${file} is missing${as(kept)}`,
  "state-file-behind": ({ file, kept }) => `${file} has lost its latest changes${as(kept)}`,
  "state-file-damaged": ({ file, damage, kept }) => `${file} is damaged (${damage})${as(kept)}`,
  "state-began-anew": () => "began anew",
  "state-from-backup": ({ file }) => `restored from ${file}`,
  "state-brought-forward": ({ file, event, changes, more }) => {
    const shown = changes.map(({ id, from, to }) => `${id} ${from} → ${to}`).join(", ");
    const what = changes.length === 0 ? "no task changed" : more === 0 ? shown : `${shown} and ${more} more`;
    return `brought forward by ${file} to event ${event}: ${what}`;
  },
  "state-file-warns": ({ file, text }) => `${file}: ${text}`,
  "state-moved": ({ from, to }) => `the state was that of ${from}; it belongs to ${to} now`,
  "state-made-private": ({ folder, was, now }) =>
    `${folder} was writable by others (${was}); it is ${now} now`,
  "state-event-gone": ({ run, event }) =>
    `event ${event} of run ${run} was acknowledged, and is not in this state`,
  "state-run-forged": ({ run }) => `run ${run} was not written by Espalier, so not believed`,
  "state-copy-kept": ({ kept }) => `a copy as it was found is kept as ${kept}`,
  "state-run-elsewhere": ({ file, run }) => `${file} tells of run ${run}, which no database holds`,
  "state-left-by-another": ({ file, kept }) =>
    `${file} was left by another orchestrator; a copy is kept as ${kept}`,
  "state-tasks-of-another": ({ file, tasks }) => `${file} of another orchestrator tells of ${tasks} tasks`,
};
