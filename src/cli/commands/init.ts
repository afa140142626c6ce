import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Jail, openJail, PRESETS } from "../../adapters/agent/index.ts";
import { readBounded } from "../../adapters/file/index.ts";
import { findProgram } from "../../adapters/process/index.ts";
import { findProject, findTaskFile, type Project } from "../../host/project/project.ts";
import { oneFolderOf } from "../../host/session/one-folder.ts";
import { CLIENTS } from "../../mcp/client-setup.ts";
import { fieldName } from "../../plan/index.ts";
import { EspalierError, EXIT, type OneFolder, type Reason, type Result } from "../../ports/index.ts";
import { firstLine, reasonText } from "../../text/index.ts";
import { type Io, isInteractive, say } from "../io.ts";

/** Agents that are looked for: those of the name of their program. */
const PROGRAMS = PRESETS.flatMap(({ name, program }) => (name === program ? [name] : []));

/** What was found in a project, and where. */
export interface Findings {
  readonly tasks: string | undefined;
  readonly otherTasks: readonly string[];
  readonly agents: readonly { readonly name: string; readonly path: string }[];
  readonly verify: { readonly command: string; readonly because: string } | undefined;
}

function read(path: string): string {
  const bytes = readBounded(path, { maxBytes: 1024 * 1024, follow: true });
  return bytes.ok ? Buffer.from(bytes.value).toString("utf8") : "";
}

function packageTest(text: string): boolean {
  try {
    const test = (JSON.parse(text) as { scripts?: { test?: unknown } }).scripts?.test;
    return typeof test === "string" && !test.includes("no test specified");
  } catch {
    return false;
  }
}

/** The command that a project of this kind is tested with. */
function testCommand(root: string): Findings["verify"] {
  const file = (name: string) => read(join(root, name));
  if (packageTest(file("package.json")))
    return { command: "npm test", because: "package.json has a test script" };
  if (file("Cargo.toml") !== "") return { command: "cargo test", because: "there is a Cargo.toml" };
  if (file("go.mod") !== "") return { command: "go test ./...", because: "there is a go.mod" };
  if (file("pyproject.toml") !== "" || file("pytest.ini") !== "")
    return { command: "python -m pytest -q", because: "there is a Python project" };
  const makefile = file("Makefile").split("\n");
  return makefile.some(line => line.startsWith("test:"))
    ? { command: "make test", because: "the Makefile has a test target" }
    : undefined;
}

/** Looks at a project without changing anything. */
export function survey(project: Project, io: Io): Findings {
  let tasks: string | undefined;
  let otherTasks: readonly string[] = [];
  try {
    const found = findTaskFile(project, io.cwd, undefined);
    tasks = found.display;
    otherTasks = found.others;
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
  }
  const agents = PROGRAMS.flatMap(name => {
    const found = findProgram(name, { path: io.env["PATH"] });
    return found.ok ? [{ name, path: found.value }] : [];
  });
  return { tasks, otherTasks, agents, verify: testCommand(project.root) };
}

/** The text of a first configuration: what was found is set, everything else stands there as a comment. */
export function configText({ tasks, agents, verify }: Findings, jail: Result<Jail, Reason>): string {
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

# More agents by name, and which of them works for a role (담당, ${fieldName("specialist")}, ${fieldName("role")}).
# agents:
#   careful: { command: "my-agent --model large" }
# roles:
#   backend-specialist: careful

# The proof that a task is done, where the task has no "${fieldName("verify")}:" of its own. Without one, completed tasks are shown
# as unverified.
${verify === undefined ? '# verify: "npm test"' : `# ${verify.because}\nverify: ${quoted(verify.command)}`}

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
# worktree: { setup: ["npm ci"], copy: [.env] }
# git: { worktrees: off }

# Limits of one attempt. An idle agent is one without any output.
# limits: { wall: 60m, idle: 10m, grace: 10s, log: 200MB }

# Agents in bubblewrap: they write their own folder and nothing else, see no keys and no other processes. auto goes
# without it on machines that have none, on starts nothing there. Here: ${told(jail)}.
${jail.ok ? "" : "# "}jail: { use: auto }

# Environment variables that agents may see besides PATH, HOME, LANG and the like. A name, or a prefix with *.
# env: [ANTHROPIC_API_KEY]

# The shared context: one delta bridges however many versions a teammate has missed. The documents' rule is 1: beyond
# the next version the whole document is sent.
context: { maxGap: any }

# Language of log lines and prompts: en or ko.
# locale: en
`;
}

/** Writes a file only where there is none. */
function writeNew(path: string, text: string): boolean {
  let fd: number;
  try {
    fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new EspalierError("NOT_WRITABLE", `${path}: ${(error as Error).message}`, {
      exitCode: EXIT.environment,
    });
  }
  try {
    writeSync(fd, text);
  } finally {
    closeSync(fd);
  }
  return true;
}

/** What stands for or against a jail, on one line. */
function told(jail: Result<Jail, Reason>): string {
  return jail.ok ? `bubblewrap ${jail.value.version}` : firstLine(reasonText(jail.failure, "en"), 200);
}

/** What is said where tasks would all work in one folder. */
const NO_GIT: Readonly<Record<OneFolder, string>> = {
  "no-repository":
    "no repository: tasks go out one at a time; after git init and a first commit, each in a folder of its own",
  "no-commits":
    "no commit yet: tasks go out one at a time; after a first commit, each in a folder of its own",
  outside: "the repository does not know this folder: tasks go out one at a time",
  off: "worktrees are off: tasks go out one at a time",
};

/** Where nothing is a repository, one is offered; what goes into its first commit is the person's to say. */
async function offerGit(io: Io, project: Project, canAsk: boolean): Promise<void> {
  const why = oneFolderOf(project);
  if (why === undefined) return;
  say(io, `git           ${NO_GIT[why]}`);
  const program = findProgram("git", { path: io.env["PATH"] });
  if (why !== "no-repository" || !canAsk || !program.ok) return;
  const { confirm } = await import("@clack/prompts");
  const message = "Make this folder a git repository? (git init; you make the first commit)";
  if ((await confirm({ message, initialValue: true, input: io.stdin, output: io.stdout })) !== true) return;
  const made = spawnSync(program.value, ["init", "-q"], { cwd: project.root, env: io.env, encoding: "utf8" });
  say(
    io,
    made.status === 0
      ? 'made a git repository; next: git add -A && git commit -m "Begin"'
      : `git init failed: ${firstLine(made.stderr, 200)}`,
  );
}

function tell(io: Io, findings: Findings, jail: Result<Jail, Reason>): void {
  const { tasks, otherTasks, agents, verify } = findings;
  say(
    io,
    `task file     ${tasks ?? "none found; espalier reads TASKS.md, spec-kit, Kiro and Task Master files"}`,
  );
  if (otherTasks.length > 0) say(io, `              also there: ${otherTasks.join(", ")}`);
  say(io, `agents        shell, command${agents.map(agent => `, ${agent.name}`).join("")}`);
  say(io, `test command  ${verify === undefined ? "none found" : `${verify.command} (${verify.because})`}`);
  say(io, `jail          ${jail.ok ? "" : "none: "}${told(jail)}`);
}

/** A coding agent can lead by itself: offers to connect those that are installed. */
async function offerTools(io: Io, { agents }: Findings, canAsk: boolean): Promise<void> {
  const clients = CLIENTS.filter(name => agents.some(agent => agent.name === name));
  if (!canAsk) {
    for (const client of clients) say(io, `to lead from ${client}: espalier mcp --setup ${client} --write`);
    return;
  }
  const { confirm } = await import("@clack/prompts");
  const { mcpSetup } = await import("./mcp-setup.ts");
  for (const client of clients) {
    const message = `Connect ${client}, so that it can lead? (writes files that are not there yet)`;
    if ((await confirm({ message, initialValue: false, input: io.stdin, output: io.stdout })) !== true)
      continue;
    mcpSetup(io, client, true);
  }
}

/** `espalier init`: looks around and writes a commented espalier.yaml; never overwrites one. */
export async function init(io: Io, options: { yes?: boolean }): Promise<number> {
  const project = findProject(io.cwd);
  const path = join(project.root, "espalier.yaml");
  const findings = survey(project, io);
  const jail = await openJail(io.env["PATH"]);
  tell(io, findings, jail);
  await offerGit(io, project, options.yes !== true && isInteractive(io));
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) {
    say(io, "espalier.yaml is there already and stays as it is");
    return EXIT.done;
  }
  if (options.yes !== true && isInteractive(io)) {
    const { confirm } = await import("@clack/prompts");
    const answer = await confirm({
      message: "Write espalier.yaml with this?",
      input: io.stdin,
      output: io.stdout,
    });
    if (answer !== true) return EXIT.done;
  }
  const written = writeNew(path, configText(findings, jail));
  say(io, written ? "wrote espalier.yaml" : "espalier.yaml is there already and stays as it is");
  say(io, findings.tasks === undefined ? "next: write a TASKS.md" : `next: espalier plan ${findings.tasks}`);
  await offerTools(io, findings, options.yes !== true && isInteractive(io));
  return EXIT.done;
}
