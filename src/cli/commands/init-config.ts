import type { Jail } from "../../adapters/agent/index.ts";
import { fieldName } from "../../plan/index.ts";
import { HELD_BY_KIND, type Reason, type Result } from "../../ports/index.ts";
import { firstLine, type Locale, reasonText } from "../../text/index.ts";
import { initWords, type TestSign } from "../views/init-words.ts";

/** What was found in a project, and where. */
export interface Findings {
  readonly tasks: string | undefined;
  readonly otherTasks: readonly string[];
  readonly agents: readonly { readonly name: string; readonly path: string }[];
  /** Lock files, and what makes each anew. */
  readonly locks: readonly (readonly [file: string, command: string])[];
  readonly verify: { readonly command: string; readonly because: TestSign } | undefined;
}

/** What became of the test command where it was tried as attempts run it. */
export interface Tried {
  readonly how: "passed" | "failed" | "not-tried";
  /** Where it ran, or what stands against it; empty where it was not tried. */
  readonly told: string;
  /** The command that a new worktree needs before the tests can run. */
  readonly setup?: string;
}

/** A check is switched on once it was seen to pass; what fails by itself would cost every task its attempts. */
function proofText({ command, because }: NonNullable<Findings["verify"]>, { how, told }: Tried): string {
  const found = initWords("en").found[because];
  const line = `verify: ${JSON.stringify(command)}`;
  if (how === "passed") return `# ${found}; it passes ${told}.\n${line}`;
  const why =
    how === "failed"
      ? `tried, and off: ${told}`
      : "off until it was seen to pass: take the # away, then espalier doctor --try";
  return `# ${found}; ${why}\n# ${line}`;
}

/** Agents that can be let run the tests, and what those calls look like: who may not cannot tell whether their work is done. */
export function testersOf({ agents, verify }: Pick<Findings, "agents" | "verify">) {
  const names = agents.flatMap(({ name }) => (HELD_BY_KIND.has(name) ? [] : [name]));
  return verify === undefined || names.length === 0
    ? undefined
    : { names, pattern: `${TESTING[verify.because]}*` };
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

/** What every call of the tests begins with, by where they were found. */
const TESTING: Readonly<Record<TestSign, string>> = {
  "package.json": "npm test",
  "Cargo.toml": "cargo test",
  "go.mod": "go test",
  python: "python -m pytest",
  Makefile: "make test",
};

/** Lock files are left to their tools: two tasks that add a package each are no conflict. */
function gitText(locks: Findings["locks"]): string {
  const tools = locks.map(([file, command]) => `${JSON.stringify(file)}: ${JSON.stringify(command)}`);
  return tools.length === 0
    ? "# git: { worktrees: off }"
    : `# git: { worktrees: off } has all tasks work in this checkout. A lock file that two tasks changed is made anew by its own tool.\ngit: { generated: { ${tools.join(", ")} } }`;
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
  const quoted = JSON.stringify;
  const found = agents.map(agent => `${agent.name} (${agent.path})`).join(", ");
  return `# Espalier's configuration. Every key may be left out; what stands behind # shows how it is set.
# Docs: docs/configuration.md. Unknown keys are errors, so a typing mistake cannot go unnoticed.

# The task file. Without it: docs/planning/TASKS.md, docs/planning/06-tasks.md, TASKS.md, specs/*/tasks.md, …
${tasks === undefined ? "# tasks: TASKS.md" : `tasks: ${quoted(tasks)}`}

# Who works on tasks that name no agent. shell runs a task's own "${fieldName("run")}:" block; command runs the line below with the
# prompt on its standard input. Agent programs found here: ${found === "" ? "none" : found}.
# agent: shell
# command: "my-agent --flag"

# More agents by name, which of them works for a role (담당, ${fieldName("specialist")}, ${fieldName("role")}), and what they may run
# without asking, where they can be held to it.
${agentsText(findings)}
# roles:
#   backend-specialist: careful

# The proof that a task is done, where the task has no "${fieldName("verify")}:" of its own. Without one, completed tasks are shown
# as unverified.
${verify === undefined ? '# verify: "npm test"' : proofText(verify, tried)}

# Tasks at once, or "declared": only groups that name each other in ${fieldName("parallel")}. Without it 5, and 1 where there is no git
# repository with a commit: all tasks would write one folder.
# parallel: 5

# Attempts until a task has failed, and equal failures in a row until a person is asked.
# maxAttempts: 10
# sameError: 3
# backoff: { first: 1s, max: 60s }

# Share of a phase that must complete before the next one starts.
# phaseGate: 0.9

# In a git repository each phase gets a branch and a worktree; finished ones stay there until you merge them
# (espalier phase merge N), or are merged by themselves. What new worktrees need is copied and set up.
# phase: { merge: auto, verify: "npm test" }
${tried.setup === undefined ? '# worktree: { setup: ["npm ci"], copy: [.env] }' : `worktree: { setup: [${quoted(tried.setup)}] }`}
${gitText(locks)}

# Limits of one attempt. An idle agent is one without any output.
# limits: { wall: 60m, idle: 10m, grace: 10s, log: 200MB }

# Agents in bubblewrap: they write their own folder and nothing else, see no keys and no other processes. auto goes
# without it on machines that have none, on starts nothing there. Here: ${jailText(jail)}.
${jail.ok ? "" : "# "}jail: { use: auto }

# Environment variables that agents may see besides PATH, HOME, LANG and the like. A name, or a prefix with *.
# env: [ANTHROPIC_API_KEY]

# The shared context: one delta bridges however many versions a teammate has missed. The documents' rule is 1: beyond
# the next version the whole document is sent.
context: { maxGap: any }

# Language of log lines and prompts: en or ko.
${locale === "en" ? "# locale: en" : `locale: ${locale}`}
`;
}
