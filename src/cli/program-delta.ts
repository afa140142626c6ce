import { type Command, Option } from "commander";
import { badValue } from "./help/bad-value.ts";
import type { Io } from "./io.ts";

function version(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw badValue("deltaVersion");
  return Number(text);
}

/** `espalier delta …`: update messages made, read and measured by hand. */
export function addDelta(program: Command, io: Io, exit: (code: number) => void): void {
  const delta = program.command("delta");
  const messages = () => import("./commands/delta/messages.ts");
  delta
    .command("diff")
    .argument("<old>")
    .argument("<new>")
    .option("--label <name>", "", "GC")
    .option("--from <n>", "", version)
    .option("--to <n>", "", version)
    .action(async (old, next, options) => exit(await (await messages()).diff(io, old, next, options)));
  delta
    .command("apply")
    .argument("<old>")
    .argument("<delta>")
    .action(async (old, message) => exit(await (await messages()).apply(io, old, message)));
  delta
    .command("verify")
    .argument("<old>")
    .argument("<delta>")
    .argument("<new>")
    .action(async (old, message, next) => exit(await (await messages()).verify(io, old, message, next)));
  delta
    .command("invert")
    .argument("<old>")
    .argument("<delta>")
    .action(async (old, message) => exit(await (await messages()).invert(io, old, message)));
  delta
    .command("squash")
    .argument("<old>")
    .argument("<deltas...>")
    .action(async (old, list) => exit(await (await messages()).squash(io, old, list)));
  delta
    .command("show")
    .argument("<delta>")
    .argument("[old]")
    .action(async (message, old) =>
      exit(await (await import("./commands/delta/show.ts")).show(io, message, old)),
    );
  delta
    .command("replay")
    .argument("<path>")
    .option("--git")
    .addOption(new Option("--policy <name>").choices(["cost", "spec"]).default("cost"))
    .option("--json")
    .action(async (path, options) =>
      exit(await (await import("./commands/delta/replay.ts")).replay(io, path, options)),
    );
}
