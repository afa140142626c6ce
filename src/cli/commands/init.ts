import { spawnSync } from "node:child_process";
import { closeSync, constants, lstatSync, openSync, realpathSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Jail, openJail } from "../../adapters/agent/index.ts";
import { CONFIG_FILE } from "../../adapters/file/index.ts";
import { findProgram } from "../../adapters/process/index.ts";
import { knownLocks, knownSetup } from "../../host/project/known-tools.ts";
import { findTaskFile, type Project } from "../../host/project/project.ts";
import { installedAgents } from "../../host/run/installed.ts";
import { oneFolderOf } from "../../host/session/one-folder.ts";
import { CLIENTS } from "../../mcp/client-setup.ts";
import { because, EspalierError, EXIT, type Reason, type Result } from "../../ports/index.ts";
import { firstLine, reasonText, visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, isInteractive, say, warn } from "../io.ts";
import { personAt } from "../person.ts";
import { projectOf } from "../project.ts";
import { type Stop, whileStoppable } from "../signals.ts";
import { type InitWords, initWords, languageOf, type Proposal } from "../views/words/init-words.ts";
import { configText, type Findings, jailText, type Tried, testersOf } from "./init-config.ts";
import { offerFirstTask } from "./init-first.ts";
import { testCommand, textAt } from "./test-command.ts";

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
  const agents = installedAgents(io.env["PATH"]);
  const verify = testCommand(project.root, io.env["PATH"]);
  return { tasks, otherTasks, agents, locks: knownLocks(project.root), verify };
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

/** Where a person left a question. */
const LEFT = "left";
type Left = typeof LEFT;

/** Where nothing is a repository, one is offered; what goes into its first commit is the person's to say. */
async function offerGit(
  io: Io,
  project: Project,
  canAsk: boolean,
  words: InitWords,
): Promise<Left | undefined> {
  const why = oneFolderOf(project);
  if (why === undefined) return undefined;
  say(io, `${words.labels.git}  ${words.oneFolder[why]}`);
  const program = findProgram("git", { path: io.env["PATH"] });
  if (why !== "no-repository" || !canAsk || !program.ok) return undefined;
  const person = await personAt(io, words.locale);
  const answer = await person.yes(words.askGit);
  if (answer !== true) return answer === undefined ? LEFT : undefined;
  const made = spawnSync(program.value, ["init", "-q"], { cwd: project.root, env: io.env, encoding: "utf8" });
  say(io, made.status === 0 ? words.madeGit : words.gitFailed(firstLine(made.stderr, 200)));
  return undefined;
}

/** The folder that is meant, where that is another one than a person stands in. */
function tellPlace(io: Io, { root, linkedWorktree }: Project, { labels, ofLinked }: InitWords): void {
  if (root === realpathSync(io.cwd)) return;
  say(io, `${labels.project}  ${visible(root, 400)}${linkedWorktree === undefined ? "" : ` (${ofLinked})`}`);
}

function tell(io: Io, findings: Findings, jail: Result<Jail, Reason>, words: InitWords): void {
  const { tasks, otherTasks, agents, verify } = findings;
  const { labels } = words;
  say(io, `${labels.tasks}  ${tasks ?? words.noTasks}`);
  if (otherTasks.length > 0) say(io, `              ${labels.others} ${otherTasks.join(", ")}`);
  say(io, `${labels.agents}  shell, command${agents.map(agent => `, ${agent.name}`).join("")}`);
  const test = verify === undefined ? words.none : `${verify.command} (${words.found[verify.because]})`;
  say(io, `${labels.test}  ${test}`);
  say(io, `${labels.jail}  ${jail.ok ? "" : words.noJail}${jailText(jail, words.locale)}`);
}

/** A coding agent can lead by itself: offers to connect those that are installed. */
async function offerTools(
  io: Io,
  { agents }: Findings,
  canAsk: boolean,
  words: InitWords,
): Promise<Left | undefined> {
  const clients = CLIENTS.filter(name => agents.some(agent => agent.name === name));
  if (!canAsk) {
    for (const client of clients) say(io, words.toolsFor(client));
    return undefined;
  }
  const person = await personAt(io, words.locale);
  const { mcpSetup } = await import("./mcp-setup.ts");
  for (const client of clients) {
    const answer = await person.yes(words.askTools(client), false);
    if (answer === undefined) return LEFT;
    if (answer) await mcpSetup(io, client, true);
  }
  return undefined;
}

/** What will be set, each with the reason in a line. */
function proposals(
  { tasks, verify, locks, ...found }: Findings,
  jail: Result<Jail, Reason>,
  { why }: InitWords,
): string[] {
  const testers = testersOf({ ...found, verify });
  const settings: readonly (readonly [Proposal, string | undefined])[] = [
    ["tasks", tasks === undefined ? undefined : `tasks: ${visible(tasks, 120)}`],
    ["permissions", testers === undefined ? undefined : `agents: ${testers.names.join(", ")}`],
    ["verify", verify === undefined ? undefined : `verify: ${verify.command}`],
    [
      "generated",
      locks.length === 0 ? undefined : `git.generated: ${locks.map(([file]) => file).join(", ")}`,
    ],
    ["jail", jail.ok ? "jail: auto" : undefined],
    ["maxGap", "context.maxGap: any"],
  ];
  return settings.flatMap(([name, set]) => (set === undefined ? [] : [`${set}  (${why[name]})`]));
}

const NOT_TRIED: Tried = { how: "not-tried" };

/** Runs the test command once as attempts would, and once more after the packages are installed where it needs them. */
async function tryTests(
  io: Io,
  project: Project,
  { verify, tasks }: Findings,
  words: InitWords,
  stop: Stop,
): Promise<Tried | Left> {
  if (verify === undefined) return NOT_TRIED;
  const { tryCheck } = await import("../../host/run/trial.ts");
  const { command } = verify;
  const file = { path: join(project.root, tasks ?? "TASKS.md"), display: tasks ?? "TASKS.md", others: [] };
  const attempt = async (setup: readonly string[]) => {
    say(io, words.trying([...setup, command].map(one => visible(one, 200))));
    try {
      return await tryCheck({ caller: callerOf(io), project, command, setup, yes: true, stop }, file);
    } catch (error) {
      if (!(error instanceof EspalierError)) throw error;
      // No packages would help where it cannot be tried at all.
      const text = error.hint === undefined ? error.message : `${error.message}; ${error.hint}`;
      return { where: "checkout", problem: because("said", { by: "system", text }) } as const;
    }
  };
  const first = await attempt([]);
  if (stop.cancel.aborted) return LEFT;
  if (first.problem === undefined) return { how: "passed", where: first.where };
  const told = (problem: Reason) => visible(reasonText(problem, words.locale), 300);
  say(io, `  ${told(first.problem)}`);
  const setup = first.where === "worktree" ? knownSetup(project.root) : undefined;
  if (setup === undefined) return { how: "failed", why: told(first.problem) };
  const second = await attempt([setup]);
  if (stop.cancel.aborted) return LEFT;
  if (second.problem === undefined) return { how: "passed", where: second.where, setup };
  say(io, `  ${told(second.problem)}`);
  return { how: "failed", why: told(second.problem) };
}

/** Whether the test command may be run now: the person says so with `--try`, or when asked. */
async function mayTry(
  io: Io,
  { verify }: Findings,
  wish: InitFlags,
  words: InitWords,
): Promise<boolean | Left> {
  if (verify === undefined || wish.try === true) return verify !== undefined;
  if (wish.yes === true || !isInteractive(io)) return false;
  const person = await personAt(io, words.locale);
  return (await person.yes(words.askTry(verify.command))) ?? LEFT;
}

interface InitFlags {
  readonly yes?: boolean;
  readonly try?: boolean;
}

/**
 * `espalier init`: looks around and writes a commented espalier.yaml; never overwrites one. A question that is left ends it: what
 * was not yet written is not.
 */
export async function init(io: Io, options: InitFlags): Promise<number> {
  const project = projectOf(io);
  const path = join(project.root, CONFIG_FILE);
  const findings = survey(project, io);
  const jail = await openJail(io.env["PATH"]);
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  // Where nobody has said that Korean is spoken, it is the language of the task file.
  const ofTasks = languageOf(textAt(join(project.root, findings.tasks ?? "")));
  const locale = isThere || project.locale === "ko" ? project.locale : (io.locale ?? ofTasks);
  const words = initWords(locale);
  const leave = () => {
    warn(io, words.left);
    return EXIT.usage;
  };
  tellPlace(io, project, words);
  tell(io, findings, jail, words);
  const canAsk = options.yes !== true && isInteractive(io);
  if ((await offerGit(io, project, canAsk, words)) === LEFT) return isThere ? EXIT.usage : leave();
  if (isThere) {
    say(io, words.stays);
    if (options.try === true) say(io, words.triedByDoctor);
    return EXIT.done;
  }
  say(io, words.proposed);
  for (const line of proposals(findings, jail, words)) say(io, `  ${line}`);
  if (canAsk) {
    const answer = await (await personAt(io, locale)).yes(words.askWrite);
    if (answer === undefined) return leave();
    if (!answer) return EXIT.done;
  }
  const wanted = await mayTry(io, findings, options, words);
  if (wanted === LEFT) return leave();
  const tried = wanted
    ? await whileStoppable(stop => tryTests(io, project, findings, words, stop))
    : NOT_TRIED;
  if (tried === LEFT) {
    leave();
    return EXIT.interrupted;
  }
  if (!writeNew(path, configText(findings, tried, jail, locale))) {
    say(io, words.stays);
    return EXIT.done;
  }
  tellWritten(io, findings, tried, words);
  if ((await offerTools(io, findings, canAsk, words)) === LEFT) return EXIT.done;
  return offerFirstTask(io, project.root, findings, { canAsk, isProved: tried.how === "passed", words });
}

/** What became of the proposals, and what is next. */
function tellWritten(io: Io, findings: Findings, tried: Tried, words: InitWords): void {
  say(io, words.wrote);
  const testers = testersOf(findings);
  if (testers !== undefined) say(io, words.mayTest(testers.names, testers.pattern));
  if (findings.verify !== undefined)
    say(
      io,
      tried.how === "passed"
        ? words.verifyOn(findings.verify.command)
        : words.verifyOff(tried.how === "failed" ? tried.why : undefined),
    );
  if (findings.tasks !== undefined) say(io, words.next(findings.tasks));
}
