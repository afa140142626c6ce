import { type Command, Option } from "commander";
import type { Io } from "./io.ts";

type SetExit = (code: number) => void;

const json = () => new Option("--json", "print JSON");

/** `espalier phase` and `espalier worktrees`. */
export function addRepository(program: Command, io: Io, exit: SetExit): void {
  const phase = program.command("phase").description("look at phases, let one start, or merge one");
  const phases = () => import("./commands/phase.ts");
  phase
    .command("list")
    .description("all phases and how far they are")
    .addOption(json())
    .action(async options => exit(await (await phases()).list(io, options)));
  phase
    .command("show")
    .description("one phase and its tasks")
    .argument("<phase>")
    .addOption(json())
    .action(async (label, options) => exit(await (await phases()).show(io, label, options)));
  phase
    .command("report")
    .description(
      "the run, or one phase, as Markdown for a pull request: what was done, proved, and not proved",
    )
    .argument("[phase]")
    .addOption(json())
    .action(async (label, options) => exit(await (await phases()).report(io, label, options)));
  phase
    .command("force")
    .description("let a phase start although the one before is below its gate")
    .argument("<phase>")
    .action(async label => exit(await (await phases()).force(io, label)));
  phase
    .command("merge")
    .description("check phases that were left on their branches, and merge them into the target branch")
    .argument("[phase]")
    .option("--all", "every phase that is done and not merged, in their order")
    .option("-y, --yes", "approve the phase's check")
    .action(async (label, options) => {
      const { merge } = await import("./commands/phase-merge.ts");
      exit(await merge(io, label, options));
    });

  program
    .command("diff")
    .description(
      "show what landed, task by task, in your pager; of a task that has not landed, what stands there",
    )
    .argument("[task|phase]", "a task's id or a phase's label; by default the whole run")
    .action(async name => exit(await (await import("./commands/diff.ts")).diff(io, name)));

  program
    .command("review")
    .description("have a task's work reviewed now, landed or not; exit 0 approved, 1 findings")
    .argument("<task>")
    .option("--agent <name>", "the agent that reviews; by default whom the task or review: names")
    .option("-y, --yes", "approve the commands that the project names")
    .addOption(json())
    .action(async (task, options) =>
      exit(await (await import("./commands/review.ts")).review(io, task, options)),
    );

  const worktrees = program.command("worktrees").description("the worktrees that Espalier made");
  const commands = () => import("./commands/worktrees.ts");
  worktrees
    .command("list")
    .description("where they are, and what is not committed or merged in them")
    .addOption(json())
    .action(async options => exit(await (await commands()).list(io, options)));
  worktrees
    .command("clean")
    .description("remove those whose branch is merged; work that is nowhere else is saved first")
    .option("--all", "also those whose branch is not merged; the branches stay")
    .action(async options => exit(await (await commands()).clean(io, options)));
  worktrees
    .command("rescue")
    .description("save uncommitted work on branches; the worktrees stay as they are")
    .argument("[name]", "a branch, or the end of a folder's path")
    .action(async name => exit(await (await commands()).rescue(io, name)));
}
