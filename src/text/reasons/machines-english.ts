import type { MachineReasonArgs } from "../../ports/index.ts";
import type { CatalogueOf } from "./catalogue.ts";
import { hubWords } from "./hub-english.ts";

/** Machines that are named of many. */
const NAMED = 4;

function named(machines: readonly string[]): string {
  const more = machines.length - NAMED;
  return `${machines.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** What becomes of work on other machines, in English. */
export const ENGLISH_MACHINES: CatalogueOf<MachineReasonArgs> = {
  "machine-lost": ({ said }) => `the machine that worked on it is lost: ${said}`,
  "work-not-taken": ({ said }) => `what the other machine made was not taken: ${said}`,
  "work-hidden": ({ path }) => `${path} is a repository of its own, so its files would be lost`,
  "work-kept": ({ said, ref }) => `${said}; it is kept in ${ref}`,
  "sent-unknown": () => "what it was sent is not known here any more",
  "stopped-without-hub": ({ url }) => `the run was stopped while ${url} was not reached`,
  "stopped-without-machines": () =>
    "the run was stopped, and machines had not ended its agents after 30 seconds",
  "agents-go-on": () =>
    "agents on other machines may go on for up to ten minutes; espalier resume takes them up once the hub is there",
  "hub-away": said => `the hub is not reached, and everything waits for it: ${hubWords(said)}`,
  "hub-full": ({ said }) =>
    `the hub takes nothing more until there is room, and what is new waits for it: ${said}`,
  "hub-has-room": ({ url }) => `the hub ${url} has room again`,
  "hub-reached": ({ url }) => `the hub ${url} is reached again`,
  "not-copied": ({ said }) =>
    `the hub has no copy of the latest state, so another machine could not go on from here: ${said}`,
  "hub-not-left": said =>
    `this machine alone conducts the run now, but the hub could not be asked whether another one does, nor told: ${hubWords(said)}`,
  "run-taken-over": ({ host, at }) =>
    `the run of ${host} is taken over, as it stood at ${new Date(at).toISOString().slice(0, 19)}Z`,
  "brought-anew": () => "the other machine has gone on with it meanwhile: it is brought here again",
  "no-machine": ({ agent, labels = [] }) =>
    `no machine of the hub has ${[agent, ...labels].join(" and ")} now; its tasks wait for one`,
  "repository-not-taken": ({ repository, agent, labels = [] }) =>
    `no machine of the hub that has ${[agent, ...labels].join(" and ")} takes the repository ${repository} by its owner's repositories: now; its tasks wait for one`,
  "machines-drained": ({ machines, agent, labels = [], url }) =>
    `${named(machines)} ${machines.length === 1 ? "is" : "are"} drained, and no other machine of the hub has ${[agent, ...labels].join(" and ")} now: start one, or let it work again with espalier worker drain ${machines[0]} --off --hub ${url}`,
  "machines-full": ({ machines, agent, labels = [] }) =>
    `the ${machines.length === 1 ? "disk" : "disks"} of ${named(machines)} ${machines.length === 1 ? "is" : "are"} full, and no other machine of the hub takes work for ${[agent, ...labels].join(" and ")} now: make room there, or start one`,
  "no-resource": ({ resources }) =>
    `no machine of the hub offers ${resources.join(" and ")} now; the tasks that use it wait for one`,
  "resource-in-use": ({ task, resource, machines }) =>
    `${task} waits: ${resource} of ${machines.join(" and ")} is taken`,
  "machines-have": ({ agents: [agent, ...others] }) =>
    agent === undefined
      ? "give them a run: block, or have a machine offer a coding agent: espalier agents shows there which it has"
      : `give them a run: block, or an agent that a machine has: espalier run --agent ${agent}${others.length === 0 ? "" : ` (or ${others.join(", ")})`}`,
  "labels-here": ({ labels }) =>
    `tasks ask for a machine with ${labels.join(", ")}; without --on they are worked on here`,
  "machine-refuses": ({ said, machine, others = [] }) =>
    `${machine === undefined ? "the machine" : `machine ${machine}`} does not work on it: ${said}${others.length === 0 ? "" : ` (nor did ${others.join(", ")})`}`,
};
