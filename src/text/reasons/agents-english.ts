import type { AgentRefusalArgs, AgentTurnArgs, FileTrouble } from "../../ports/index.ts";
import { type CatalogueOf, listing } from "./catalogue.ts";
import { ENGLISH_TURNS } from "./turns-english.ts";

const some = listing(more => ` and ${more} more`);

const getAgent = (install: readonly string[]) => [
  "get one and log in to it, then: espalier run --agent auto",
  ...install.map(line => `  ${line}`),
  "any other program works too: espalier run --command 'my-agent --flags' (espalier agents lists all that are known)",
  "espalier demo shows a whole run without one",
];

const TROUBLES: Readonly<Record<Exclude<FileTrouble, object>, string>> = {
  nameless: "has no name",
  missing: "does not exist",
  folder: "is a folder",
  irregular: "is not a regular file",
  "not-executable": "is not executable by this user",
  foreign: "is built for another kind of machine",
};

const troubled = (file: string, trouble: FileTrouble) =>
  `${file} ${typeof trouble === "string" ? TROUBLES[trouble] : `cannot be used (${trouble.code})`}`;

/** Why a run does not begin with its agents, or a turn of one came to nothing, in English. */
export const ENGLISH_AGENTS: CatalogueOf<AgentRefusalArgs & AgentTurnArgs> = {
  ...ENGLISH_TURNS,
  "no-such-agent": ({ agent, tasks }) =>
    `no agent named "${agent}"${tasks.length > 0 ? ` (needed by ${tasks.join(", ")})` : ""}`,
  "agents-known": ({ agents, guess, isLead }) =>
    `${isLead ? "the name lead is a lead's own; " : ""}known agents: ${agents.join(", ")}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
  "give-command": () =>
    "give its command line: --command 'your-agent --flags' of espalier run, or command: in espalier.yaml",
  "program-not-found": ({ program, searched, unfit }) =>
    `program ${program} not found: ${searched.length === 0 ? "PATH names no folder to search" : `searched ${searched.join(", ")}`}${unfit === undefined ? "" : `; ${troubled(unfit.file, unfit.trouble)}`}`,
  "program-relative": ({ program }) =>
    `program ${program} is relative to an unknown folder: give its absolute path`,
  "program-unfit": ({ file, trouble }) => `program ${troubled(file, trouble)}`,
  "script-unfit": ({ program, file, trouble }) =>
    `${program} is there, and ${troubled(`${file} that it is to run`, trouble)}`,
  "agent-too-old": ({ agent, version, needs }) =>
    `agent ${agent} is too old: version ${version} was found, ${needs} or later is needed`,
  "cannot-review": ({ agent, by }) =>
    `agent ${agent} cannot review: it tells only an exit code (needed by ${by})`,
  "name-reviewer": () => "name a coding agent, or give a command that reads the diff: review: { command: … }",
  "review-needs-git": () => "review.required: true needs a git repository with a commit, and worktrees",
  "get-diffs": () =>
    "git init and a first commit; or review: { required: false } lets the work land, and tells that it is unreviewed",
  "get-agent": ({ install, isOld }) =>
    install === undefined
      ? `${isOld ? "update" : "install"} it or correct the command line; nothing was started`
      : `${isOld ? "update" : "install"} it (${install}); nothing was started`,
  "no-run-blocks": ({ tasks }) =>
    `the shell agent executes a task's run: block; ${tasks.names.length + tasks.more === 1 ? "1 task has" : `${tasks.names.length + tasks.more} tasks have`} none: ${some(tasks)}`,
  "choose-agent": ({ agent }) =>
    `give them a run: block, or an agent: espalier run --agent auto takes ${agent}`,
  "no-agent-yet": ({ loggedOut, install }) =>
    loggedOut.length === 0
      ? ["give them a run: block, or a coding agent; none was found here:", ...getAgent(install)].join("\n")
      : `give them a run: block, or an agent: log in to ${loggedOut.join(" or ")} (start it once), then: espalier run --agent auto`,
  "no-agent-on-path": ({ programs }) =>
    `no coding agent was found on PATH (looked for ${programs.join(", ")})`,
  "no-price": ({ agent }) =>
    `${agent} tells no cost and has no price: the limit in money does not see it; budget: { prices: { ${agent}: { input, output } } } gives it one`,
  "not-logged-in": ({ agent }) => `agent ${agent} is not logged in`,
  "log-in-to": ({ agent }) => `start ${agent} once and log in, or set its key in the environment`,
  "none-logged-in": ({ agents }) => `no coding agent is logged in (found ${agents.join(", ")})`,
  "look-at-agents": ({ install }) => getAgent(install).join("\n"),
  "log-in": ({ agent }) => `log in to one of them, or name it yourself: --agent ${agent}`,
  "agent-refused": ({ agent, next }) =>
    `the account of ${agent} is refused by its service; ${next} takes over`,
  "agent-endless": ({ agent }) =>
    `${agent} did not end within its limits and is not waited for any more; it may still be at work in the folder`,
  "agent-event": ({ agent, said }) => `${agent} told something that is no event of an agent: ${said}`,
  "keys-withheld": ({ agent, said, names }) =>
    `${said} (of your environment ${agent} is not given ${names.join(", ")}: agents.${agent}.env names what it needs)`,
};
