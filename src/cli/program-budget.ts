import { Argument, type Command, Option } from "commander";
import type { Io } from "./io.ts";

const json = (): Option => new Option("--json");

/** `espalier budget`: what the outputs take of the window, what a workflow may take, and what is cached. */
export function addBudget(program: Command, io: Io, exit: (code: number) => void): void {
  const budget = program
    .command("budget")
    .option("--watch")
    .addOption(json())
    .action(async options => exit(await (await import("./commands/budget/show.ts")).showBudget(io, options)));
  const cache = budget.command("cache");
  cache
    .command("list")
    .addOption(json())
    .action(async (_options, command: Command) =>
      exit((await import("./commands/budget/cache.ts")).listCache(io, command.optsWithGlobals())),
    );
  cache
    .command("clear")
    .addArgument(new Argument("[tier]").choices(["project", "persistent"]))
    .action(async tier => exit((await import("./commands/budget/cache.ts")).clearCache(io, tier)));
  budget
    .command("lint")
    .argument("<before>")
    .argument("<after>")
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
    .argument("<task>")
    .argument("<text>")
    .addOption(json())
    .action(async (task, text, _options, command: Command) =>
      exit((await import("./commands/budget/why.ts")).whyBudget(io, task, text, command.optsWithGlobals())),
    );
  budget
    .command("plan")
    .argument("<workflow>")
    .option("--file <yaml>")
    .addOption(json())
    .action(async (workflow, _options, command: Command) =>
      exit((await import("./commands/budget/plan.ts")).planBudget(io, workflow, command.optsWithGlobals())),
    );
}
