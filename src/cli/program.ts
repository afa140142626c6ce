import { Command, type CommanderError, InvalidArgumentError, Option } from "commander";
import { VERSION } from "../host/package.ts";
import { EXIT } from "../ports/index.ts";
import type { Io } from "./io.ts";
import { limitOptions } from "./limit-options.ts";
import { addBudget } from "./program-budget.ts";
import { addCheckpoint } from "./program-checkpoint.ts";
import { addContext } from "./program-context.ts";
import { addDelta } from "./program-delta.ts";
import { addMachines } from "./program-machines.ts";
import { addMcp } from "./program-mcp.ts";
import { addRepository } from "./program-repository.ts";
import { addSummarize } from "./program-summary.ts";

/** A command line that commander has already explained to the person. */
export class UsageError extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super("usage");
    this.exitCode = exitCode;
  }
}

type SetExit = (code: number) => void;

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 65_535)
    throw new InvalidArgumentError("a port from 1 to 65535");
  return value;
}

function parallel(text: string): number | "declared" {
  if (text === "declared") return text;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1000)
    throw new InvalidArgumentError('a number from 1 to 1000, or "declared"');
  return value;
}

function ids(text: string): string[] {
  return text
    .split(",")
    .map(id => id.trim())
    .filter(id => id !== "");
}

const json = () => new Option("--json", "print JSON");

function addReading(program: Command, io: Io, exit: SetExit): void {
  program
    .command("plan")
    .description("show the phases, tasks and edges of a task file, and everything that is wrong with it")
    .argument("[file]", "task file; by default the usual places are searched")
    .option("--allow-missing", "take dependencies on unknown tasks as satisfied")
    .addOption(json())
    .action(async (file, options) =>
      exit(await (await import("./commands/plan.ts")).plan(io, file, options)),
    );
  program
    .command("draft")
    .description(
      "have a planner agent write a task file for a goal; without an agent, from what the repository has",
    )
    .argument("<goal>", "what is to be reached, in your words")
    .option("--agent <name>", "the agent that plans; auto takes the first one that is installed")
    .option("--command <line>", "command line of the agent 'command'; the prompt comes on its standard input")
    .option("--out <file>", "where the plan goes; a file that exists is never replaced", "TASKS.md")
    .option("--yes", "approve the agent's command line of espalier.yaml")
    .action(async (goal, options) =>
      exit(await (await import("./commands/draft.ts")).draft(io, goal, options)),
    );
  program
    .command("status")
    .description("show where the run stands")
    .addOption(json())
    .option("--thin", "one line per task, for a model")
    .option("--all", "list every task, also of phases with nothing to tell")
    .option("--watch", "show it again whenever it changes, until the run has ended")
    .action(async options => exit(await (await import("./commands/status.ts")).status(io, options)));
  program
    .command("dashboard")
    .description("serve a page that shows the run and steers it; runs nothing by itself")
    .option("--port <n>", "port on 127.0.0.1; the first free one from 4747 on unless said", port)
    .option("--json", "print the link as JSON")
    .action(async options => exit(await (await import("./commands/dashboard.ts")).dashboard(io, options)));
  program
    .command("watch")
    .description("show the run in the terminal as it goes, with keys to steer it; lines of events in a pipe")
    .addOption(json())
    .action(async options => exit(await (await import("./commands/watch.ts")).watch(io, options)));
  program
    .command("agents")
    .description("show which coding agents are installed, how they are driven and what they can do")
    .addOption(json())
    .action(async options => exit(await (await import("./commands/agents.ts")).agents(io, options)));
  program
    .command("doctor")
    .description("check git, Node, agents, lock, state and disk")
    .option("--try", "run the checks of espalier.yaml once in a new worktree, to see that they pass there")
    .option("--fix", "mend what killed processes left in the repository, and say what was done")
    .addOption(json())
    .action(async options => exit(await (await import("./commands/doctor.ts")).doctor(io, options)));
}

function runOptions(command: Command): Command {
  return limitOptions(command)
    .option("--agent <name>", "agent for tasks that name none")
    .option("--command <line>", "command line of the agent 'command'; the prompt comes on its standard input")
    .option("--parallel <n|declared>", "tasks at once", parallel)
    .option("--only <ids>", "run just these tasks (comma-separated)", ids)
    .option("--force-phase <n>", "start this phase although the one before is below its gate")
    .option("--allow-missing", "take dependencies on unknown tasks as satisfied")
    .option("--plan <mode>", "reconcile (default) or frozen: refuse when the task file has changed")
    .option("--trust-boxes", "after lost state: believe ticked boxes")
    .option("--trust-state", "believe state that carries no seal of this home, or one that was set back")
    .option("--adopt", "take over state that was made in another place, such as a folder that was moved")
    .option(
      "--on <url>",
      'have the machines of a hub work on it: https://HOST[:PORT]; "none" takes that back',
    )
    .option("-y, --yes", "approve the commands that the task file and the project name")
    .option("--dashboard", "serve a page to watch and steer the run; stays when it has ended, until Ctrl+C")
    .option("--port <n>", "port of the dashboard; the first free one from 4747 on unless said", port)
    .addOption(json());
}

function addRunning(program: Command, io: Io, exit: SetExit): void {
  runOptions(
    program.command("run").description("run the tasks of a task file; goes on where an earlier run stopped"),
  )
    .argument("[file]", "task file; by default the usual places are searched")
    .option("--dry-run", "show what would be dispatched, start nothing")
    .action(async (file, options) => exit(await (await import("./commands/run.ts")).run(io, file, options)));
  runOptions(program.command("resume").description("go on with the last run"))
    .option("--from <checkpoint>", "start a new run from what this checkpoint says (an id or a file)")
    .action(async options => exit(await (await import("./commands/run.ts")).resume(io, options)));
  program
    .command("permit")
    .description("show what agents ask for, and answer: once, for good, or no")
    .argument("[which]", "number of a question, or its task")
    .option("--always", "allow this in the project from now on")
    .option("--no", "refuse it")
    .addOption(json())
    .action(async (which, options) =>
      exit(await (await import("./commands/permit.ts")).permit(io, which, options)),
    );
  program
    .command("stop")
    .description("stop the run: agents are ended, their tasks become ready again, state is saved")
    .option("--now", "do not wait for agents to end by themselves")
    .action(async options => exit(await (await import("./commands/stop.ts")).stop(io, options)));
  program
    .command("init")
    .description("find the task file, agents and test command, and write espalier.yaml")
    .option("-y, --yes", "write without asking")
    .option("--try", "run the test command once in a new worktree, to see that it passes there")
    .action(async options => exit(await (await import("./commands/init.ts")).init(io, options)));
}

function addLead(program: Command, io: Io, exit: SetExit): void {
  const lead = () => import("./commands/lead.ts");
  limitOptions(program.command("next"))
    .description("lead mode: what to do next, in one line")
    .argument("[file]", "task file, for the first call")
    .option("--new-session", "a new lead with an empty window asks")
    .option("--force-phase <n>", "start this phase although the one before is below its gate")
    .addOption(json())
    .action(async (file, options) => exit(await (await lead()).next(io, file, options)));
  limitOptions(program.command("start"))
    .description("lead mode: take tasks and name the file with the prompt of each")
    .argument("<ids...>")
    .option("--print", "print the prompts themselves")
    .action(async (ids, options) => exit(await (await lead()).start(io, ids, options)));
  program
    .command("report")
    .description("lead mode: hand in the signal of a started task")
    .argument("<id>")
    .argument("<signal>", "the line the agent ended with")
    .option(
      "--result <file>",
      "the agent's whole answer: a fill's document, and what it adds to the context tree",
    )
    .option("-y, --yes", "approve the task's verify command")
    .action(async (id, signal, options) => exit(await (await lead()).report(io, id, signal, options)));
}

function addTask(program: Command, io: Io, exit: SetExit): void {
  const task = program.command("task").description("look at one task, or decide about it");
  const commands = () => import("./commands/task.ts");
  task
    .command("show")
    .description("everything known about a task: attempts, evidence, errors, log")
    .argument("<id>")
    .addOption(json())
    .action(async (id, options) => exit(await (await commands()).show(io, id, options)));
  task
    .command("tell")
    .description("say something to the agent at work on a task; it hears it when it has ended its turn")
    .argument("<id>")
    .argument("<words...>")
    .action(async (id, words) => exit(await (await commands()).tell(io, id, words.join(" "))));
  const actions = [
    ["retry", "give it a fresh start"],
    ["skip", "go on without it; its dependents count it as done"],
    ["done", "count it as completed, on your word (unverified)"],
    ["pause", "stop it and hold it back"],
    ["resume", "let a paused task go on"],
    ["cancel", "give it up; its dependents are blocked"],
  ] as const;
  for (const [action, description] of actions) {
    task
      .command(action)
      .description(description)
      .argument("<ids...>")
      .option("--note <text>", "why, for the record", "")
      .action(async (names, options) => exit(await (await commands()).act(io, action, names, options)));
  }
}

/** After a slip the way to the help of the very command that was called. */
function pointToHelp(command: Command, called: string): void {
  const hint = command.commands.length > 0 ? "lists the commands" : "shows how it is called";
  command.showHelpAfterError(`(${called} --help ${hint})`);
  for (const one of command.commands) pointToHelp(one, `${called} ${one.name()}`);
}

/** Commands that are described together, in the order in which help lists them. */
const GROUPS: readonly {
  readonly names: readonly string[];
  readonly add: (program: Command, io: Io, exit: SetExit) => void;
}[] = [
  { names: ["plan", "draft", "status", "dashboard", "watch", "agents", "doctor"], add: addReading },
  { names: ["run", "resume", "permit", "stop", "init"], add: addRunning },
  { names: ["next", "start", "report"], add: addLead },
  { names: ["task"], add: addTask },
  { names: ["delta"], add: addDelta },
  { names: ["phase", "diff", "review", "worktrees"], add: addRepository },
  { names: ["checkpoint"], add: addCheckpoint },
  { names: ["context"], add: addContext },
  { names: ["summarize"], add: addSummarize },
  { names: ["mcp"], add: addMcp },
  { names: ["hub", "worker"], add: addMachines },
  { names: ["budget"], add: addBudget },
];

/**
 * All commands and flags; of the group of one command only where it is named, since to describe all takes a tenth of a short
 * command. Each command is a module of its own, loaded when it is called.
 */
export function buildProgram(io: Io, exit: SetExit, called?: string): Command {
  const program = new Command("espalier")
    .description("Runs a task list with teams of coding agents.")
    .version(VERSION)
    .configureOutput({ writeOut: text => io.stdout.write(text), writeErr: text => io.stderr.write(text) })
    .exitOverride((error: CommanderError) => {
      throw new UsageError(error.exitCode === 0 ? EXIT.done : EXIT.usage);
    });
  const named = GROUPS.filter(({ names }) => called !== undefined && names.includes(called));
  for (const { add } of named.length === 0 ? GROUPS : named) add(program, io, exit);
  pointToHelp(program, program.name());
  return program;
}
