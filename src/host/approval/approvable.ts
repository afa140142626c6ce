import { homedir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/index.ts";
import type { Plan } from "../../plan/index.ts";
import { type Invocation, isElsewhere } from "../project/invocation.ts";
import { type ApprovalWords, approvalWords } from "./approval-words.ts";

/** What an approval is for. A setting or a file that reads like a command approves no command. */
export type ApprovalKind = "command" | "setting" | "agent file";

/** What is read before it is approved. */
interface Shown {
  /** Where it stands, e.g. `T1.1 run` or `espalier.yaml verify`. */
  readonly where: string;
  readonly text: string;
}

/** Something a repository wants executed, or handed to agents. Its kind and text are what an approval counts for. */
export interface Approvable extends Shown {
  /** A command where nothing else is said. */
  readonly kind?: ApprovalKind;
  /** The same in a person's language, where it is not the repository's own words. */
  readonly told?: (words: ApprovalWords) => Shown;
}

/** Something to approve that has words of ours. An approval holds in every language, so it counts for the English ones. */
export function inWords(kind: ApprovalKind, told: (words: ApprovalWords) => Shown): Approvable {
  return { ...told(approvalWords("en")), kind, told };
}

/** A setting that lets something be done, to be approved for where it stands. */
export function setting(where: string, text: (words: ApprovalWords) => string): Approvable {
  return inWords("setting", words => ({ where, text: text(words) }));
}

/** Sending what happens to an address that the project names, with the token that it names. */
export function webhookApproval({ notify }: Config): Approvable | undefined {
  const { webhook, webhookEnv, tokenEnv } = notify;
  if (webhookEnv === undefined && webhook === undefined) return undefined;
  return webhookEnv === undefined
    ? setting("espalier.yaml notify.webhook", words => words.notify(webhook!, tokenEnv))
    : setting("espalier.yaml notify.webhookEnv", words => words.notifyNamed(webhookEnv, tokenEnv));
}

/** Everything a task file names that would be executed. */
export function planCommands(plan: Plan): Approvable[] {
  return plan.tasks.flatMap(task =>
    (["run", "test", "verify"] as const).flatMap(field => {
      const text = task[field];
      return text === undefined ? [] : [{ where: `${task.id} ${field}`, text }];
    }),
  );
}

/** Tasks that the file asks less of than before, to be approved as they stand there now. */
export function weakerProofs({ tasks }: Plan, weaker: ReadonlyMap<string, readonly string[]>): Approvable[] {
  return tasks.flatMap(({ id, text }) => {
    const fields = weaker.get(id);
    return fields === undefined ? [] : [setting(id, words => `${words.weaker(fields.join(", "))}\n${text}`)];
  });
}

/** What is sent to a model that the project names: agents' outputs, and a key of the person's. */
export function modelApproval({ budget: { model } }: Config): Approvable[] {
  if (model?.base_url === undefined) return [];
  const { base_url: url, api_key_env: key } = model;
  return [setting("espalier.yaml budget.model", words => words.send(url, key))];
}

/** Handing work to a hub that the project names, which is given a token of the person's and the project's files. */
function hubApproval({ on }: Config): Approvable[] {
  return on === undefined ? [] : [setting("espalier.yaml on", words => words.hub(on))];
}

/**
 * The hub that the state has for a run. The state lies in the repository and may have come with it: it is approved, unless it is the
 * one that this home knows to have been `joined`.
 */
export function storedHub(invocation: Pick<Invocation, "on">, joined: string | undefined): Approvable[] {
  const { on } = invocation;
  if (on === undefined || on === joined || !isElsewhere(invocation)) return [];
  return [inWords("setting", words => ({ where: words.hubOfRunSoFar, text: words.hub(on) }))];
}

/** The hub that a run is to be taken back from, where only the state names it: it is asked with a token of the person's. */
export function leftHub(url: string): Approvable {
  return inWords("setting", words => ({ where: words.hubOfRunSoFar, text: words.leave(url) }));
}

/** Everything the project's configuration names that would be executed, or lets agents see. */
export function configCommands(config: Config): Approvable[] {
  const webhook = webhookApproval(config);
  const named = (where: string, text: string | undefined) => (text === undefined ? [] : [{ where, text }]);
  return [
    ...named("espalier.yaml verify", config.verify),
    ...named("espalier.yaml test", config.test),
    ...named("espalier.yaml command", config.command),
    ...named("espalier.yaml review.command", config.review.command),
    ...named("espalier.yaml phase.verify", config.phase.verify),
    ...named("espalier.yaml phase.after", config.phase.after),
    ...named("espalier.yaml notify.command", config.notify.command),
    ...Object.entries(config.git.generated).map(([path, text]) => ({
      where: `espalier.yaml git.generated ${path}`,
      text,
    })),
    ...config.worktree.setup.map(text => ({ where: "espalier.yaml worktree.setup", text })),
    ...(["copy", "link"] as const).flatMap(how =>
      config.worktree[how].map(path =>
        setting(`espalier.yaml worktree.${how}`, words => words.bring(how, path)),
      ),
    ),
    ...config.jail.show.map(name =>
      setting("espalier.yaml jail.show", words => words.reveal(join(homedir(), name))),
    ),
    ...(webhook === undefined ? [] : [webhook]),
    ...Object.entries(config.agents).flatMap(([name, agent]) =>
      agentCommands(`espalier.yaml agents.${name}`, agent),
    ),
    ...modelApproval(config),
    ...hubApproval(config),
    ...config.env.map(name => setting("espalier.yaml env", words => words.pass(name))),
  ];
}

/** What a repository's settings of an agent have executed, or let it do unasked. */
function agentCommands(where: string, agent: Config["agents"][string]): Approvable[] {
  const { command, acp, program, mode, permissions, env = {}, mcp = {}, keeps = [] } = agent;
  const lines = [command, acp, program].flatMap(text => (text === undefined ? [] : [{ where, text }]));
  const variables = (place: string, given: typeof env) =>
    Object.entries(given).map(([name, value]) =>
      setting(place, words => (value === null ? words.pass(name) : words.assign(name, value))),
    );
  return [
    ...lines,
    ...variables(`${where}.env`, env),
    ...Object.entries(mcp).flatMap(([name, server]) => [
      { where: `${where}.mcp.${name}`, text: server.command },
      ...variables(`${where}.mcp.${name}.env`, server.env ?? {}),
    ]),
    ...keeps.map(name => setting(`${where}.keeps`, words => words.keep(join(homedir(), name)))),
    // A mode may be one that asks for nothing.
    ...(mode === undefined ? [] : [setting(where, words => words.mode(mode))]),
    ...(permissions === undefined
      ? []
      : [setting(where, words => words.permit(JSON.stringify(permissions)))]),
  ];
}
