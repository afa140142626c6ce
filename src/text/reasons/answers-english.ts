import type { AnswerArgs, Reason, ReasonArgs } from "../../ports/index.ts";
import { type CatalogueOf, listing } from "./catalogue.ts";

const some = listing(more => ` and ${more} more`);

const ACTED = {
  retry: "starts afresh",
  skip: "is skipped",
  done: "counts as completed (unverified)",
  pause: "is paused",
  resume: "goes on",
  cancel: "is cancelled",
  "send-back": "is sent back to its agent with the note",
  approve: "is approved",
} as const;

/** What a process answers to what is asked of its run, in English. */
export const ENGLISH_ANSWERS: CatalogueOf<AnswerArgs> = {
  "word-taken": ({ task }) => `${task} is told as soon as its agent has ended its turn`,
  "word-unheard": ({ task, agent }) =>
    `${task}: ${agent} hears nothing while it works; pause it, say it in the task file, and let it go on`,
  "word-late": ({ said, again }) =>
    `its agent had ended before it could be told${again ? "; its next attempt is" : ""}: ${said}`,
  "not-at-work": ({ task }) => `nobody works on ${task}`,
  "words-wait": ({ task, most }) => `${most} messages wait for ${task} already`,
  acted: ({ task, action, resume }) =>
    `${task} ${ACTED[action]}${resume ? '; "espalier resume" goes on' : ""}`,
  "asks-less-now": ({ task, fields }) =>
    `not done: the task file asks less of ${task} than before (${fields.join(", ")}), which nobody was shown yet; look at the task, then decide again`,
  stopping: ({ lead }) =>
    lead ? "the lead lets go of the run" : "stopping: agents are ended, their tasks become ready again",
  "lead-holds": ({ method }) => `a lead holds this run: ${method} has to wait until it has left`,
  "lead-leaving": () => "the lead is leaving",
  "no-such-service": ({ what }) =>
    what === "workers" ? "this process serves no workers" : "this process keeps no checkpoints",
  "goes-on": () => "the run goes on",
  "merge-after-run": () =>
    "the run goes on: merge when it has ended (espalier stop ends it), then: espalier phase merge --all",
  "merge-unapproved": ({ commands, phase = "--all" }) =>
    `not approved yet: ${some(commands)}; read and approve it in a terminal: espalier phase merge ${phase}`,
  "no-branches": () => "this project's phases have no branches",
  "runs-already": () => "the run goes on already",
  "goes-on-unapproved": () =>
    "the run does not go on: a command that the repository names is not approved yet; read and approve it in a terminal: espalier resume",
  "does-not-go-on": ({ said }) => `the run does not go on: ${said === "" ? "it ended without a word" : said}`,
  "nobody-waits": () => "nobody waits for this answer any more",
};

/** What came of merging phases, in English. */
export function mergeEnglish(
  { merged, refused, left }: ReasonArgs["merge-outcome"],
  tell: (reason: Reason) => string,
): string {
  const rest = left.filter(phase => phase !== refused?.phase);
  return [
    ...merged.map(({ phase, into, commit }) =>
      into === undefined || commit === undefined
        ? `phase ${phase}: there is nothing to merge`
        : `phase ${phase}: merged into ${into} (${commit.slice(0, 10)})`,
    ),
    ...(refused === undefined
      ? []
      : [
          `phase ${refused.phase} is not merged: ${tell(refused.why)}; then: espalier phase merge ${refused.phase}`,
        ]),
    ...(merged.length === 0 && refused === undefined ? ["no phase that is done waits on its branch"] : []),
    ...(rest.length === 0 ? [] : [`still on their branches: ${rest.join(", ")}`]),
  ].join("; ");
}
