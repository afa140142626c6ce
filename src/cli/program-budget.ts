import { Argument, type Command, Option } from "commander";
import type { Io } from "./io.ts";

const json = (): Option => new Option("--json", "print JSON");

/** `espalier budget`: what the outputs take of the window, what a workflow may take, and what is cached. */
export function addBudget(program: Command, io: Io, exit: (code: number) => void): void {
  const budget = program
    .command("budget")
    .description("show what agents' outputs take of the window, and what the run has spent")
    .option("--watch", "go on until the run has ended")
    .addOption(json())
    .action(async options => exit(await (await import("./commands/budget/show.ts")).showBudget(io, options)));
  const cache = budget
    .command("cache")
    .description("outputs of completed tasks that are kept for later runs");
  cache
    .command("list")
    .description("what is kept, at which level, and whether it may still be used")
    .addOption(json())
    .action(async (_options, command: Command) =>
      exit((await import("./commands/budget/cache.ts")).listCache(io, command.optsWithGlobals())),
    );
  cache
    .command("clear")
    .description("remove what is kept")
    .addArgument(new Argument("[tier]", "only this tier").choices(["project", "persistent"]))
    .action(async tier => exit((await import("./commands/budget/cache.ts")).clearCache(io, tier)));
  budget
    .command("lint")
    .description("where two consecutive packages or prompts part: from there on no cache helps")
    .argument("<before>", "a file")
    .argument("<after>", "a file")
    .addOption(json())
    .action(async (before, after, _options, command: Command) =>
      exit(
        (await import("./commands/budget/lint.ts")).lintPackages(
          io,
          before,
          after,
          command.optsWithGlobals(),
        ),
      ),
    );
  budget
    .command("why")
    .description("why an attempt knew something or not: who said it, and what became of it on the way")
    .argument("<task>", "T5.4, or T5.4#2 for one attempt")
    .argument("<text>", "words to look for, such as a name, a number or a path")
    .addOption(json())
    .action(async (task, text, _options, command: Command) =>
      exit((await import("./commands/budget/why.ts")).whyBudget(io, task, text, command.optsWithGlobals())),
    );
  budget
    .command("plan")
    .description("show who may hand on how much in a workflow, before anything is spent")
    .argument("<workflow>", "its name in the configuration, such as full_research_cycle")
    .option("--file <yaml>", "read budgets and workflows from this file instead")
    .addOption(json())
    .action(async (workflow, _options, command: Command) =>
      exit((await import("./commands/budget/plan.ts")).planBudget(io, workflow, command.optsWithGlobals())),
    );
}
