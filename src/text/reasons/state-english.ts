import type {
  StateDamage,
  StateDamageKind,
  StateFieldProblem,
  StateNewsArgs,
  StateOddity,
} from "../../ports/index.ts";
import type { CatalogueOf } from "./catalogue.ts";

const as = (kept: string | undefined): string => (kept === undefined ? "" : `; kept as ${kept}`);

const PROBLEMS: Readonly<Record<StateFieldProblem, string>> = {
  unreadable: "unreadable",
  "no-key": "not a key anybody means; ignored",
  "no-names": "a number names no tasks",
  "no-list": "not a list",
  "no-object": "not an object",
  "no-task": "not a task id",
  "unknown-status": "its status is none we know; taken as pending",
  "no-retries": "not a number of retries; taken as 0",
  "phases-alone": "phases without tasks; no task counts as completed by them",
};

const DAMAGES: Readonly<Record<StateDamageKind, (of: string) => string>> = {
  empty: () => "empty",
  cut: () => "it ends in the middle of a page",
  "other-tables": () => "it has other tables",
  "broken-row": of => `a row of ${of} is broken`,
  "no-first-entry": () => "it has lost its first entry",
  "other-program": () => "not a database of Espalier",
  "no-version": () => "it has no schema version",
  "not-sealed": () => "Espalier did not write it",
  "fields-missing": () => "run, epoch, seq or tasks are missing",
  "no-object": () => "not a JSON object",
  "names-nothing": () => "it names neither tasks nor phases",
  "other-version": of => `version ${of} is not one of 1.x or 2.x`,
};

function oddity(what: StateOddity): string {
  if ("more" in what) return `and ${what.more} more`;
  if ("at" in what) return `${what.at}: ${PROBLEMS[what.problem]}`;
  const { task, statuses, taken } = what;
  return `${task}: is ${statuses.join(" and ")}; taken as ${taken}`;
}

function damageOf(damage: StateDamage): string {
  return "said" in damage ? damage.said : DAMAGES[damage.is](damage.of ?? "");
}

/** How the state of a project was found, and what was put right, in English. */
export const ENGLISH_STATE: CatalogueOf<StateNewsArgs> = {
  "state-file-missing": ({ file, kept }) => `${file} is missing${as(kept)}`,
  "state-file-behind": ({ file, kept }) => `${file} has lost its latest changes${as(kept)}`,
  "state-file-damaged": ({ file, damage, kept }) => `${file} is damaged (${damageOf(damage)})${as(kept)}`,
  "state-began-anew": () => "began anew",
  "state-from-backup": ({ file }) => `restored from ${file}`,
  "state-brought-forward": ({ file, event, changes, more }) => {
    const shown = changes.map(({ id, from, to }) => `${id} ${from} → ${to}`).join(", ");
    const what = changes.length === 0 ? "no task changed" : more === 0 ? shown : `${shown} and ${more} more`;
    return `brought forward by ${file} to event ${event}: ${what}`;
  },
  "state-file-odd": ({ file, what }) => `${file}: ${oddity(what)}`,
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
