import type { NewsArgs, UnreadFile } from "../../ports/index.ts";
import { type CatalogueOf, listing } from "./catalogue.ts";
import { ENGLISH_STATE } from "./state-english.ts";

const some = listing(more => ` and ${more} more`);

const ENDED: Readonly<Record<NewsArgs["run-was-ended"]["outcome"], string>> = {
  completed: "The run completed",
  failed: "The run ended with failed tasks",
  waiting: "The run waits for a person",
  interrupted: "The run was interrupted",
};

const NOT_TOLD: Readonly<Record<Exclude<NewsArgs["notice-failed"]["why"], "unset">, string>> = {
  redirects: "it redirects elsewhere",
  "no-answer": "no answer in 5 s",
  "no-time": "no time was left",
  malformed: "the address is malformed",
  "names-user": "the address names a user",
  "no-token": "it holds no bearer token",
};

function unread({ file, most: { files, values, kib } }: UnreadFile): string {
  if (files !== undefined) return `${file} (file ${files + 1} or later)`;
  return values === undefined
    ? `${file} (over ${kib} KiB)`
    : `${file} (over ${values} values or ${kib} KiB of them)`;
}

/** What is told first of a run, and of its checkpoints, in English. */
export const ENGLISH_NEWS: CatalogueOf<NewsArgs> = {
  ...ENGLISH_STATE,
  "earlier-run-aside": ({ file }) => `the earlier run of ${file} is put aside; this is a new run`,
  "ticks-believed": ({ tasks, file }) =>
    `${tasks} ${tasks === 1 ? "task is" : "tasks are"} ticked in ${file}: taken as completed, unverified`,
  "ticks-not-believed": ({ tasks }) =>
    `ticked in the file, but not completed as far as Espalier knows, so not believed: ${some(tasks)}. "espalier task done ID" accepts one`,
  "done-under-another-text": ({ tasks }) =>
    `completed under another text: ${some(tasks)}. Keep the work with "espalier task done ID", or do it again with "espalier task retry ID"`,
  "nothing-to-dispatch": () => "nothing would be dispatched",
  "other-task-files": ({ file, others }) => `using ${file}; also found: ${others.join(", ")}`,
  "completions-taken-over": ({ from, tasks, checkpoint }) => {
    const gone = checkpoint?.gone ?? 0;
    const besides = gone === 0 ? "" : `; ${gone} of its rows are not in the plan any more`;
    const files = checkpoint === undefined ? "" : "; the files of the checkout are as they are";
    return `${from}: ${tasks} completed tasks taken over${besides}${files}`;
  },
  "state-rebuilt": ({ tasks }) =>
    `state was lost and is rebuilt: ${tasks} completed tasks are proven by their commits`,
  "objects-cut": ({ objects, kept }) =>
    `git objects that never came to the disk: ${objects}; kept in ${kept}`,
  "refs-cut": ({ refs, kept }) => `refs that name nothing: ${some(refs)}; kept in ${kept}`,
  "refs-cut-elsewhere": ({ refs }) =>
    `refs that name nothing and are not ours, so left alone: ${some(refs)}; git reflog names what they were`,
  "index-anew": ({ kept }) =>
    `the index of the main checkout could not be read and was made anew; kept in ${kept}`,
  "files-put-back": ({ files, where }) =>
    where === "checkout"
      ? `cut short on their way into the checkout, put back: ${some(files)}`
      : `cut short by a loss of power, put back to what had landed: ${some(files)}`,
  "completed-unreadable": ({ tasks }) =>
    `completed, but its work cannot be read in the repository: ${some(tasks)}. ` +
    '"espalier task retry ID" does it again; where another clone has it, fetch it from there, then "espalier task done ID"',
  "state-left-unsealed": ({ said }) => `the state is not sealed: ${said}`,
  "settings-unread": ({ files }) =>
    `secrets are not masked that stand in ${files.map(unread).join(", ")}: put what is secret into a small .env, or into the environment`,
  "notice-failed": ({ at, why }) => (why === "unset" ? `${at} is not set` : `${at}: ${NOT_TOLD[why]}`),
  "telemetry-setting": ({ signal, why }) => {
    if (why === "exporter") return `OTEL_${signal.toUpperCase()}_EXPORTER may be otlp or none`;
    if (why === "headers") return "OTEL_EXPORTER_OTLP_HEADERS holds what is no header";
    return why === "address"
      ? `the endpoint for ${signal} is no http or https address without a user`
      : "OTLP is spoken over HTTP: set OTEL_EXPORTER_OTLP_PROTOCOL=http/json, and the port is most often 4318";
  },
  "telemetry-unsent": ({ at, why }) => {
    if (typeof why !== "string") return `${at}: ${why.rejected} rejected`;
    return `${at}: ${why === "no-answer" ? "no answer" : NOT_TOLD[why]}`;
  },
  "spans-lost": ({ spans }) => `${spans} spans were too many at once`,
  "notice-forbidden": ({ at, address }) => `${at}: ${address} is not allowed`,
  "held-before": () =>
    'a person held the run back before the last process died: "h" in "espalier watch" lets it go on',
  "goes-on-elsewhere": ({ tasks }) => `goes on on other machines: ${some(tasks)}`,
  "starts-again": ({ tasks }) => `was in progress when the last process died, starts again: ${some(tasks)}`,
  "landed-before": ({ tasks }) => `had landed when the last process died, so completed: ${some(tasks)}`,
  "landed-after-taken": ({ tasks }) =>
    `had landed when the last process died, but was taken from its agent before: ${some(tasks)}. "espalier task done ID" counts it`,

  "phase-was-ended": ({ phase, completed, counted }) =>
    `Phase ${phase} ended, ${completed} of ${counted} tasks completed`,
  "run-asked-to-stop": ({ by }) => `The run stops, asked by ${by}`,
  "run-was-ended": ({ outcome }) => ENDED[outcome],
  "lead-window-filled": ({ percent }) => `The lead's window is ${percent} % full`,
  "direction-declared": ({ text }) => `Direction: ${text}`,
  "task-file-changed": () => "The task file changed",
  "checkpoint-asked": () => "On demand",
};
