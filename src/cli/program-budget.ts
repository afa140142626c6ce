import { type Command, Option } from "commander";
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
