import type { Jail } from "../../adapters/agent/index.ts";
import { HELD_BY_KIND, type Reason, type Result } from "../../ports/index.ts";
import { firstLine, type Locale, reasonText } from "../../text/index.ts";
import { type ConfigWords, configWords, type Passed } from "../views/words/config-words.ts";
import { initWords } from "../views/words/init-words.ts";
import type { TestCommand } from "./test-command.ts";

/** What was found in a project, and where. */
export interface Findings {
  readonly tasks: string | undefined;
  readonly otherTasks: readonly string[];
  readonly agents: readonly { readonly name: string; readonly path: string }[];
  /** Lock files, and what makes each anew. */
  readonly locks: readonly (readonly [file: string, command: string])[];
  readonly verify: TestCommand | undefined;
}

/** What became of the test command where it was tried as attempts run it. */
export type Tried =
  | ({ readonly how: "passed" } & Passed)
  | { readonly how: "failed"; readonly why: string }
  | { readonly how: "not-tried" };

/** Lines of a comment. */
function comment(text: string): string {
  return text.replaceAll(/^/gm, "# ");
}

/** A check is switched on once it was seen to pass; what fails by itself would cost every task its attempts. */
function proofText(
  { command, because }: NonNullable<Findings["verify"]>,
  tried: Tried,
  locale: Locale,
): string {
  const words = configWords(locale);
  const found = initWords(locale).found[because];
  const line = `verify: ${JSON.stringify(command)}`;
  if (tried.how === "passed") return `${comment(words.passes(found, tried))}\n${line}`;
  const why = tried.how === "failed" ? words.failed(found, tried.why) : words.notTried(found);
  return `${comment(why)}\n# ${line}`;
}

/** Agents that can be let run the tests, and what those calls look like: who may not cannot tell whether their work is done. */
export function testersOf({ agents, verify }: Pick<Findings, "agents" | "verify">) {
  const names = agents.flatMap(({ name }) => (HELD_BY_KIND.has(name) ? [] : [name]));
  return verify === undefined || names.length === 0 ? undefined : { names, pattern: `${verify.call}*` };
}

function agentsText(findings: Findings): string {
  const other = `#   careful: { command: "my-agent --model large" }
#   newest: { acp: "new-agent acp", permissions: deny }`;
  const testers = testersOf(findings);
  if (testers === undefined) return `# agents:\n${other}`;
  const { names, pattern } = testers;
  const lines = names.map(name => `  ${name}: { permissions: { execute: [${JSON.stringify(pattern)}] } }`);
  return ["agents:", ...lines, other].join("\n");
}

/** Lock files are left to their tools: two tasks that add a package each are no conflict. */
function gitText(locks: Findings["locks"], words: ConfigWords): string {
  const tools = locks.map(([file, command]) => `${JSON.stringify(file)}: ${JSON.stringify(command)}`);
  return tools.length === 0
    ? "# git: { worktrees: off }"
    : `${comment(words.generated)}\ngit: { generated: { ${tools.join(", ")} } }`;
}

/** What stands for or against a jail, on one line. */
export function jailText(jail: Result<Jail, Reason>, locale: Locale = "en"): string {
  return jail.ok ? `bubblewrap ${jail.value.version}` : firstLine(reasonText(jail.failure, locale), 200);
}

/** The text of a first configuration: what was found is set, everything else stands there as a comment. */
export function configText(
  findings: Findings,
  tried: Tried,
  jail: Result<Jail, Reason>,
  locale: Locale,
): string {
  const { tasks, agents, locks, verify } = findings;
  const words = configWords(locale);
  const quoted = JSON.stringify;
  const found = agents.map(agent => `${agent.name} (${agent.path})`).join(", ");
  const setup = tried.how === "passed" ? tried.setup : undefined;
  return `${comment(words.about)}

${comment(words.tasks)}
${tasks === undefined ? "# tasks: TASKS.md" : `tasks: ${quoted(tasks)}`}

${comment(words.agent(found === "" ? undefined : found))}
# agent: shell
# command: "my-agent --flag"

${comment(words.agents)}
${agentsText(findings)}
# roles:
#   backend-specialist: careful

${comment(words.verify)}
${verify === undefined ? '# verify: "npm test"' : proofText(verify, tried, locale)}

${comment(words.parallel)}
# parallel: 5

${comment(words.maxAttempts)}
# maxAttempts: 10
# sameError: 3
# backoff: { first: 1s, max: 60s }

${comment(words.phaseGate)}
# phaseGate: 0.9

${comment(words.phase)}
# phase: { merge: auto, verify: "npm test" }
${setup === undefined ? '# worktree: { setup: ["npm ci"], copy: [.env] }' : `worktree: { setup: [${quoted(setup)}] }`}
${gitText(locks, words)}

${comment(words.limits)}
# limits: { wall: 60m, idle: 10m, grace: 10s, log: 200MB }

${comment(words.jail(jailText(jail, locale)))}
${jail.ok ? "" : "# "}jail: { use: auto }

${comment(words.env)}
# env: [ANTHROPIC_API_KEY]

${comment(words.context)}
context: { maxGap: any }

${comment(words.locale)}
${locale === "en" ? "# locale: en" : `locale: ${locale}`}
`;
}
