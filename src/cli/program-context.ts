import { type Command, Option } from "commander";
import { badValue } from "./help/bad-value.ts";
import type { Io } from "./io.ts";
import { addContextTree } from "./program-context-tree.ts";

function version(text: string): number {
  const number = /^v?(\d{1,9})$/.exec(text);
  if (number === null || Number(number[1]) < 1) throw badValue("contextVersion");
  return Number(number[1]);
}

function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 100_000) throw badValue("limit");
  return number;
}

function list(text: string): string[] {
  return text
    .split(",")
    .map(name => name.trim())
    .filter(name => name !== "");
}

function also(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

const json = () => new Option("--json");

/** `espalier context …`: the documents a team shares, and who holds which version of them. */
export function addContext(program: Command, io: Io, exit: (code: number) => void): void {
  const context = program.command("context");
  context
    .command("explain", { isDefault: true })
    .addOption(json())
    .allowExcessArguments()
    .action(async (options, command: Command) => {
      const [unknown] = command.args;
      if (unknown !== undefined) context.error(`error: unknown command '${unknown}'`);
      exit((await import("./commands/context/explain.ts")).explain(io, options));
    });
  const team = () => import("./commands/context/team.ts");
  context
    .command("publish")
    .argument("[label]")
    .argument("[file]")
    .option("--base <v>", "", version)
    .option("--impact <names>", "", list)
    .option("--action <text>", "", also)
    .option("--all")
    .option("--by <name>")
    .option("--watch")
    .addOption(json())
    .action(async (label, file, options) =>
      exit(await (await import("./commands/context/publish.ts")).publish(io, label, file, options)),
    );
  context
    .command("show")
    .argument("[label]")
    .addOption(json())
    .action(async (label, options) =>
      exit((await import("./commands/context/show.ts")).show(io, label, options)),
    );
  context
    .command("log")
    .argument("[label]")
    .addOption(new Option("--limit <n>").argParser(count).default(50))
    .addOption(json())
    .action(async (label, options) =>
      exit((await import("./commands/context/log.ts")).log(io, label, options)),
    );
  context
    .command("update")
    .argument("<label>")
    .requiredOption("--to <teammate>")
    .option("--session <id>")
    .addOption(new Option("--proof <how>").choices(["word", "hash", "none"]))
    .option("--role <role>")
    .option("--interests <sections>", "", list)
    .option("--lost")
    .addOption(json())
    .action(async (label, options) => exit(await (await team()).update(io, label, options)));
  context
    .command("ack")
    .argument("[teammate]")
    .option("--session <id>")
    .addOption(json())
    .action(async (name, options) => exit(await (await team()).ack(io, name, options)));
  context
    .command("teammates")
    .option("--all")
    .addOption(json())
    .action(async options => exit((await import("./commands/context/teammates.ts")).teammates(io, options)));
  addContextTree(context, io, exit);
  for (const op of ["leave", "resume"] as const) {
    context
      .command(op)
      .argument("<teammate>")
      .option("--label <label>")
      .action(async (name, options) => exit(await (await team()).settle(io, op, name, options)));
  }
}
