import type { AgentRefusalArgs } from "../../ports/index.ts";
import { type CatalogueOf, listing } from "./catalogue.ts";

const some = listing(more => ` and ${more} more`);

/** Why a run does not begin with its agents, in English. */
export const ENGLISH_AGENTS: CatalogueOf<AgentRefusalArgs> = {
  "no-such-agent": ({ agent, tasks }) =>
    `no agent named "${agent}"${tasks.length > 0 ? ` (needed by ${tasks.join(", ")})` : ""}`,
  "agents-known": ({ agents, guess, isLead }) =>
    `${isLead ? "the name lead is a lead's own; " : ""}known agents: ${agents.join(", ")}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
  "give-command": () => "give its command line: --command 'your-agent --flags'",
  "agent-not-there": ({ agent, said }) => `agent ${agent}: ${said === "" ? "not found" : said}`,
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
    `the shell agent executes a task's run: block; ${tasks.names.length + tasks.more} tasks have none: ${some(tasks)}`,
  "choose-agent": ({ install }) =>
    install === undefined
      ? "give them a run: block, or choose an agent: espalier run --agent auto"
      : `give them a run: block, or get a coding agent (none is installed; espalier agents lists those there are): ${install}`,
  "no-agent-on-path": ({ programs }) =>
    `no coding agent was found on PATH (looked for ${programs.join(", ")})`,
  "no-price": ({ agent }) =>
    `${agent} tells no cost and has no price: the limit in money does not see it; budget: { prices: { ${agent}: { input, output } } } gives it one`,
  "not-logged-in": ({ agent }) => `agent ${agent} is not logged in`,
  "log-in-to": ({ agent }) => `start ${agent} once and log in, or set its key in the environment`,
  "none-logged-in": ({ agents }) => `no coding agent is logged in (found ${agents.join(", ")})`,
  "look-at-agents": () =>
    "espalier agents shows how to get one; --agent command --command '…' takes any program",
  "log-in": ({ agent }) => `log in to one of them, or name it yourself: --agent ${agent}`,
};
