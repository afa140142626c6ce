import { type Command, InvalidArgumentError, Option } from "commander";
import type { Io } from "./io.ts";
import { addContextTree } from "./program-context-tree.ts";

function version(text: string): number {
  const number = /^v?(\d{1,9})$/.exec(text);
  if (number === null || Number(number[1]) < 1) throw new InvalidArgumentError("a version: 3 or v3");
  return Number(number[1]);
}

function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 100_000)
    throw new InvalidArgumentError("a number from 1 to 100000");
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

const json = () => new Option("--json", "print JSON");

/** `espalier context …`: the documents a team shares, and who holds which version of them. */
export function addContext(program: Command, io: Io, exit: (code: number) => void): void {
  const context = program
    .command("context")
    .description(
      "the documents a team shares: publish versions, bring teammates up to date, see who holds what",
    );
  context
    .command("explain", { isDefault: true })
    .description("who holds what, by which proof and since when, what waits and why; also without a word")
    .addOption(json())
    .allowExcessArguments()
    .action(async (options, command: Command) => {
      const [unknown] = command.args;
      if (unknown !== undefined) command.error(`error: unknown command '${unknown}'`);
      exit((await import("./commands/context/explain.ts")).explain(io, options));
    });
  const team = () => import("./commands/context/team.ts");
  context
    .command("publish")
    .description("a new version of LABEL from FILE; without FILE from the file of its last version")
    .argument("[label]", "name of the document in messages; GC unless said")
    .argument("[file]", "plain file, or - for standard input")
    .option(
      "--base <v>",
      "the version you edited; what others published since is merged section by section",
      version,
    )
    .option("--impact <names>", "teammates it concerns (comma-separated)", list)
    .option("--action <text>", "what they are to do; may be repeated", also)
    .option("--all", "tell the whole team, whomever it concerns")
    .option("--by <name>", "who publishes; the file's name unless said")
    .option("--watch", "publish again whenever the file changes")
    .addOption(json())
    .action(async (label, file, options) =>
      exit(await (await import("./commands/context/publish.ts")).publish(io, label, file, options)),
    );
  context
    .command("show")
    .description("print a version's text; without LABEL list the documents")
    .argument("[label]", "GC, or GC@3 for an older version")
    .addOption(json())
    .action(async (label, options) =>
      exit((await import("./commands/context/show.ts")).show(io, label, options)),
    );
  context
    .command("log")
    .description("what was published, sent and answered, newest last")
    .argument("[label]")
    .addOption(new Option("--limit <n>", "lines").argParser(count).default(50))
    .addOption(json())
    .action(async (label, options) =>
      exit((await import("./commands/context/log.ts")).log(io, label, options)),
    );
  context
    .command("update")
    .description("print the message that a teammate needs now: delta or full, and why")
    .argument("<label>")
    .requiredOption("--to <teammate>", "who it is for; a new name joins the team")
    .option("--session <id>", "of the agent it lives in; another one begins anew")
    .addOption(new Option("--proof <how>", "how it proves what it holds").choices(["word", "hash", "none"]))
    .option("--role <role>", "its role; changes that name it concern it")
    .option("--interests <sections>", "titles of sections it works with (comma-separated)", list)
    .option("--lost", "its context is gone: a compaction or a restart")
    .addOption(json())
    .action(async (label, options) => exit(await (await team()).update(io, label, options)));
  context
    .command("ack")
    .description("take in a teammate's answer from standard input")
    .argument("[teammate]", "who said it; not needed while only one has an update on its way")
    .option("--session <id>", "of the agent it lives in")
    .addOption(json())
    .action(async (name, options) => exit(await (await team()).ack(io, name, options)));
  context
    .command("teammates")
    .description("who holds what; who does not answer is marked")
    .option("--all", "also those that have ended")
    .addOption(json())
    .action(async options => exit((await import("./commands/context/teammates.ts")).teammates(io, options)));
  addContextTree(context, io, exit);
  const settling = [
    ["leave", "a teammate has ended: nothing waits for it any more"],
    ["resume", "you have answered a teammate that asked to pause"],
  ] as const;
  for (const [op, description] of settling) {
    context
      .command(op)
      .description(description)
      .argument("<teammate>")
      .option("--label <label>", "only at this document")
      .action(async (name, options) => exit(await (await team()).settle(io, op, name, options)));
  }
}
