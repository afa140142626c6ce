import type { CallRefusalArgs } from "../../ports/index.ts";
import type { CatalogueOf } from "./catalogue.ts";

/** Why a command as it was called cannot be carried out, in English. */
export const ENGLISH_CALLS: CatalogueOf<CallRefusalArgs> = {
  "no-workflow": ({ name }) => `no workflow ${name}`,
  "known-workflows": ({ nearest, names }) =>
    `${nearest === undefined ? "" : `did you mean ${nearest}? `}known: ${names.join(", ")}`,
  "no-file": ({ path }) => `${path} does not exist`,
  "budget-shape": () => "espalier help budgets shows the shape",

  "list-checkpoints": () => "espalier checkpoint list shows those there are",
  "checkpoints-doctor": () => "espalier checkpoint doctor says what is amiss",
  "checkpoints-disk": () => "check the disk and the permissions of the state folder",
  "name-the-current": () => "name the one you mean; --parent of the next one settles it",
  "not-rebuilt": ({ id }) => `${id} cannot be rebuilt from what would remain: nothing was removed`,
  "delta-without-base": ({ file }) => `${file} does not say what it is for`,
  "name-its-base": () => "name the checkpoint: espalier checkpoint apply DELTA CHECKPOINT",
  "delta-refused": ({ file, said }) => `${file}: ${said}. Nothing was changed`,
  "delta-in-words": () => "take over by hand what it says, or make one: espalier checkpoint delta A B",
  "delta-first": () => "the delta comes first: espalier checkpoint apply DELTA CHECKPOINT",
  "delta-mistold": () =>
    "read what its block does: espalier checkpoint apply --anyway; or make it anew: espalier checkpoint delta A B",
  "names-no-task": ({ id }) => `${id} names no task of this plan`,
  "half-merged": ({ id, line }) => `${id}, line ${line}: an unfinished merge left both of its sides there`,
  "finish-the-merge": () => "finish the merge, then try again",
  "names-tasks-so": () => 'its Current State needs a table "| Task | Status | Note |"',

  "plan-choice": ({ said }) => `--plan takes reconcile or frozen, not ${said}`,
  "result-file": () => "name a plain file of at most 64 KiB that holds the agent's answer",
  "no-model": () => "espalier.yaml names no budget.model",
  "name-model": () => "name one: --model NAME --base-url URL",
  "model-address": ({ name }) => `--model ${name} needs --base-url with an address of http or https`,
  "model-address-like": () => "for example --base-url http://127.0.0.1:11434/v1",
  "no-variable": ({ name }) => `the environment has no ${name}`,
  "not-written": ({ name, said }) => `${name} cannot be written: ${said}`,
  "no-port": ({ said }) => `the dashboard cannot be served: ${said}`,
  "other-port": () => "name another one with --port, or none to take the first that is free",

  "command-unreadable": ({ where, said, column }) => `${where} cannot be read: ${said} (column ${column})`,
  "command-like-shell": () => "write the program and its arguments as a shell would take them",
  "jail-or-auto": () =>
    "espalier.yaml asks for a jail: install it, or set jail: { use: auto } to go without where there is none",
  "cache-outside": ({ path }) => `budget.context_cache.storage leaves the project: ${path}`,
  "cache-inside": () => "name a folder inside the project, or leave it out",
  "nobody-works": ({ url }) => `no machine works for ${url}`,
  "start-worker": ({ url }) => `on another one: espalier worker start --hub ${url}`,
};
