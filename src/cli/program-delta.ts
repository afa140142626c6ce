import { type Command, InvalidArgumentError, Option } from "commander";
import type { Io } from "./io.ts";

function version(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("a version: a number from 0 to 999999999");
  return Number(text);
}

/** `espalier delta …`: update messages made, read and measured by hand. */
export function addDelta(program: Command, io: Io, exit: (code: number) => void): void {
  const delta = program
    .command("delta")
    .description("exact differences of Markdown documents as update messages; - reads standard input");
  const messages = () => import("./commands/delta/messages.ts");
  delta
    .command("diff")
    .description("print the update message that leads from OLD to NEW")
    .argument("<old>")
    .argument("<new>")
    .option("--label <name>", "name of the document in the message", "GC")
    .option("--from <n>", "version of OLD; 1 unless said", version)
    .option("--to <n>", "version of NEW; the next one unless said", version)
    .action(async (old, next, options) => exit(await (await messages()).diff(io, old, next, options)));
  delta
    .command("apply")
    .description("print what OLD becomes, byte for byte")
    .argument("<old>")
    .argument("<delta>")
    .action(async (old, message) => exit(await (await messages()).apply(io, old, message)));
  delta
    .command("verify")
    .description("does DELTA turn OLD into exactly NEW? Exit 1 when not")
    .argument("<old>")
    .argument("<delta>")
    .argument("<new>")
    .action(async (old, message, next) => exit(await (await messages()).verify(io, old, message, next)));
  delta
    .command("invert")
    .description("print the message that leads back to OLD")
    .argument("<old>")
    .argument("<delta>")
    .action(async (old, message) => exit(await (await messages()).invert(io, old, message)));
  delta
    .command("squash")
    .description("print one message with the effect of several in a row on OLD")
    .argument("<old>")
    .argument("<deltas...>")
    .action(async (old, list) => exit(await (await messages()).squash(io, old, list)));
  delta
    .command("show")
    .description("show a message in colour; with OLD also the lines it changes")
    .argument("<delta>")
    .argument("[old]")
    .action(async (message, old) =>
      exit(await (await import("./commands/delta/show.ts")).show(io, message, old)),
    );
  delta
    .command("replay")
    .description(
      "what deltas would save: every step of a file's git history, or of a folder of 0001.md, 0002.md, …",
    )
    .argument("<path>")
    .option("--git", "walk the git history of a file; the default where PATH is no folder")
    .addOption(
      new Option("--policy <name>", "cost: the cheapest form; spec: whole beyond half of the document")
        .choices(["cost", "spec"])
        .default("cost"),
    )
    .option("--json", "print JSON")
    .action(async (path, options) =>
      exit(await (await import("./commands/delta/replay.ts")).replay(io, path, options)),
    );
}
