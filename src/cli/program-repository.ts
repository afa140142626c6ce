import { type Command, Option } from "commander";
import type { Io } from "./io.ts";

type SetExit = (code: number) => void;

const json = () => new Option("--json");

/** `espalier phase` and `espalier worktrees`. */
export function addRepository(program: Command, io: Io, exit: SetExit): void {
  const phase = program.command("phase");
  const phases = () => import("./commands/phase.ts");
  phase
    .command("list")
    .addOption(json())
    .action(async options => exit(await (await phases()).list(io, options)));
  phase
    .command("show")
    .argument("<phase>")
    .addOption(json())
    .action(async (label, options) => exit(await (await phases()).show(io, label, options)));
  phase
    .command("report")
    .argument("[phase]")
    .addOption(json())
    .action(async (label, options) => exit(await (await phases()).report(io, label, options)));
  phase
    .command("force")
    .argument("<phase>")
    .action(async label => exit(await (await phases()).force(io, label)));
  phase
    .command("merge")
    .argument("[phase]")
    .option("--all")
    .option("-y, --yes")
    .action(async (label, options) => {
      const { merge } = await import("./commands/phase-merge.ts");
      exit(await merge(io, label, options));
    });

  program
    .command("diff")
    .argument("[task|phase]")
    .action(async name => exit(await (await import("./commands/diff.ts")).diff(io, name)));

  program
    .command("review")
    .argument("<task>")
    .option("--agent <name>")
    .option("-y, --yes")
    .addOption(json())
    .action(async (task, options) =>
      exit(await (await import("./commands/review.ts")).review(io, task, options)),
    );

  const worktrees = program.command("worktrees");
  const commands = () => import("./commands/worktrees.ts");
  worktrees
    .command("list")
    .addOption(json())
    .action(async options => exit(await (await commands()).list(io, options)));
  worktrees
    .command("clean")
    .option("--all")
    .action(async options => exit(await (await commands()).clean(io, options)));
  worktrees
    .command("rescue")
    .argument("[name]")
    .action(async name => exit(await (await commands()).rescue(io, name)));
}
