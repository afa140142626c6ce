import { Argument, Command, Option } from "commander";
import { VERSION } from "../host/package.ts";
import { refuseEmpty } from "./empty-values.ts";
import { badValue } from "./help/bad-value.ts";
import type { Io } from "./io.ts";
import { limitOptions } from "./limit-options.ts";
import { addBudget } from "./program-budget.ts";
import { addCheckpoint } from "./program-checkpoint.ts";
import { addContext } from "./program-context.ts";
import { addDelta } from "./program-delta.ts";
import { addExchange } from "./program-exchange.ts";
import { addMachines } from "./program-machines.ts";
import { addMcp } from "./program-mcp.ts";
import { addRepository } from "./program-repository.ts";
import { addSummarize } from "./program-summary.ts";
import { takesWords } from "./takes-words.ts";

type SetExit = (code: number) => void;

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 65_535) throw badValue("port");
  return value;
}

/** Where a proxy of the person's own serves the page: encrypted, or on this machine. */
function publicOrigin(text: string): URL {
  const url = URL.parse(text);
  const isHere = url?.protocol === "http:" && ["127.0.0.1", "localhost"].includes(url.hostname);
  if (url === null || !(url.protocol === "https:" || isHere) || url.href !== `${url.origin}/`)
    throw badValue("public");
  return url;
}

function parallel(text: string): number | "declared" {
  if (text === "declared") return text;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1000) throw badValue("parallel");
  return value;
}

function ids(text: string): string[] {
  return text
    .split(",")
    .map(id => id.trim())
    .filter(id => id !== "");
}

/** Shells that are completed for. */
const SHELLS = ["bash", "zsh", "fish"];

const json = () => new Option("--json");

function addBeginning(program: Command, io: Io, exit: SetExit): void {
  program
    .command("demo")
    .option("--dashboard")
    .option("--port <n>", "", port)
    .action(async options => exit(await (await import("./commands/demo.ts")).demo(io, options)));
  program
    .command("init")
    .option("-y, --yes")
    .option("--try")
    .action(async options => exit(await (await import("./commands/init.ts")).init(io, options)));
}

function addCompletion(program: Command, io: Io, exit: SetExit): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>").choices([...SHELLS, "words"]))
    .argument("[words...]")
    .action(async (shell, words) =>
      exit((await import("./commands/completion.ts")).completion(io, shell, words, buildProgram(io, exit))),
    );
}

function addReading(program: Command, io: Io, exit: SetExit): void {
  program
    .command("plan")
    .argument("[file]")
    .option("--allow-missing")
    .addOption(json())
    .action(async (file, options) =>
      exit(await (await import("./commands/plan.ts")).plan(io, file, options)),
    );
  program
    .command("draft")
    .argument("<goal>")
    .option("--agent <name>")
    .option("--command <line>")
    .option("--out <file>", "", "TASKS.md")
    .option("--yes")
    .action(async (goal, options) =>
      exit(await (await import("./commands/draft.ts")).draft(io, goal, options)),
    );
  program
    .command("status")
    .addOption(json())
    .option("--thin")
    .option("--all")
    .option("--watch")
    .action(async options => exit(await (await import("./commands/status.ts")).status(io, options)));
  program
    .command("dashboard")
    .option("--port <n>", "", port)
    .option("--public <url>", "", publicOrigin)
    .option("--pair")
    .option("--json")
    .action(async options => exit(await (await import("./commands/dashboard.ts")).dashboard(io, options)));
  program
    .command("watch")
    .addOption(json())
    .action(async options => exit(await (await import("./commands/watch.ts")).watch(io, options)));
  program
    .command("agents")
    .addOption(json())
    .action(async options => exit(await (await import("./commands/agents.ts")).agents(io, options)));
  program
    .command("doctor")
    .option("--try")
    .option("--fix")
    .option("--on <url>")
    .addOption(json())
    .action(async options => exit(await (await import("./commands/doctor.ts")).doctor(io, options)));
}

function runOptions(command: Command): Command {
  return limitOptions(command)
    .option("--agent <name>")
    .option("--command <line>")
    .option("--parallel <n|declared>", "", parallel)
    .option("--only <ids>", "", ids)
    .option("--force-phase <n>")
    .option("--allow-missing")
    .option("--plan <mode>")
    .option("--trust-boxes")
    .option("--trust-state")
    .option("--adopt")
    .option("--on <url>")
    .option("-y, --yes")
    .option("--dashboard")
    .option("--port <n>", "", port)
    .option("--public <url>", "", publicOrigin)
    .option("--pair")
    .addOption(json());
}

function addRunning(program: Command, io: Io, exit: SetExit): void {
  runOptions(program.command("run"))
    .argument("[file]")
    .option("--dry-run")
    .action(async (file, options) => exit(await (await import("./commands/run.ts")).run(io, file, options)));
  runOptions(program.command("resume"))
    .option("--from <checkpoint>")
    .option("--take-over [run]")
    .action(async options => exit(await (await import("./commands/run.ts")).resume(io, options)));
  program
    .command("permit")
    .argument("[which]")
    .option("--always")
    .option("--no")
    .addOption(json())
    .action(async (which, options) =>
      exit(await (await import("./commands/permit.ts")).permit(io, which, options)),
    );
  program
    .command("notify")
    .command("test")
    .option("-y, --yes")
    .addOption(json())
    .action(async options => exit(await (await import("./commands/notify.ts")).notifyTest(io, options)));
  program
    .command("stop")
    .option("--now")
    .action(async options => exit(await (await import("./commands/stop.ts")).stop(io, options)));
}

function addLead(program: Command, io: Io, exit: SetExit): void {
  const lead = () => import("./commands/lead.ts");
  limitOptions(program.command("next"))
    .argument("[file]")
    .option("--new-session")
    .option("--force-phase <n>")
    .addOption(json())
    .action(async (file, options) => exit(await (await lead()).next(io, file, options)));
  limitOptions(program.command("start"))
    .argument("<ids...>")
    .option("--print")
    .action(async (ids, options) => exit(await (await lead()).start(io, ids, options)));
  program
    .command("report")
    .argument("<id>")
    .argument("<signal>")
    .option("--result <file>")
    .option("-y, --yes")
    .action(async (id, signal, options) => exit(await (await lead()).report(io, id, signal, options)));
}

function addTask(program: Command, io: Io, exit: SetExit): void {
  const task = program.command("task");
  const commands = () => import("./commands/task.ts");
  task
    .command("show")
    .argument("<id>")
    .addOption(json())
    .action(async (id, options) => exit(await (await commands()).show(io, id, options)));
  takesWords(task.command("tell"))
    .argument("<id>")
    .argument("<words...>")
    .action(async (id, words) => exit(await (await commands()).tell(io, id, words.join(" "))));
  takesWords(task.command("send-back"))
    .argument("<id>")
    .argument("<words...>")
    .action(async (id, words) => {
      const options = { note: words.join(" ") };
      exit(await (await commands()).act(io, "send-back", [id], options));
    });
  for (const action of ["retry", "skip", "done", "approve", "pause", "resume", "cancel"] as const) {
    const command = task.command(action).argument(action === "resume" ? "[ids...]" : "<ids...>");
    if (action === "resume") command.option("--all");
    command
      .option("--note <text>", "", "")
      .action(async (names, options) => exit(await (await commands()).act(io, action, names, options)));
  }
}

/** Commands that are described together, in the order in which help lists them. */
const GROUPS: readonly {
  readonly names: readonly string[];
  readonly add: (program: Command, io: Io, exit: SetExit) => void;
}[] = [
  { names: ["demo", "init"], add: addBeginning },
  { names: ["plan", "draft", "status", "dashboard", "watch", "agents", "doctor"], add: addReading },
  { names: ["run", "resume", "permit", "notify", "stop"], add: addRunning },
  { names: ["next", "start", "report"], add: addLead },
  { names: ["task"], add: addTask },
  { names: ["delta"], add: addDelta },
  { names: ["phase", "diff", "review", "worktrees"], add: addRepository },
  { names: ["checkpoint"], add: addCheckpoint },
  { names: ["context"], add: addContext },
  { names: ["summarize"], add: addSummarize },
  { names: ["import", "export"], add: addExchange },
  { names: ["mcp"], add: addMcp },
  { names: ["hub", "worker"], add: addMachines },
  { names: ["budget"], add: addBudget },
  { names: ["completion"], add: addCompletion },
];

/**
 * All commands and flags; of the group of one command only where it is named, since to describe all takes a tenth of a short
 * command. Each command is a module of its own, loaded when it is called. What help says of it stands in `help/`, by the
 * names of commands, arguments and options, and is loaded when somebody reads it. Throws commander's errors, silently.
 */
export function buildProgram(io: Io, exit: SetExit, called?: string): Command {
  const program = new Command("espalier")
    .version(VERSION)
    // What stands behind a command is its own: words, or the value of an option, may begin as an option of the program does.
    .enablePositionalOptions()
    .addOption(new Option("--locale <language>").choices(["en", "ko"]))
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .exitOverride()
    .hook("preAction", (_, command) => refuseEmpty(command));
  const named = GROUPS.filter(({ names }) => called !== undefined && names.includes(called));
  for (const { add } of named.length === 0 ? GROUPS : named) add(program, io, exit);
  return program;
}
