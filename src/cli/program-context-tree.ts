import { Argument, type Command, Option } from "commander";
import type { Io } from "./io.ts";

const json = () => new Option("--json");

/** `espalier context tree | receipt | revert | node`: what tasks are given to read. */
export function addContextTree(context: Command, io: Io, exit: (code: number) => void): void {
  context
    .command("tree")
    .addOption(json())
    .action(async options => exit((await import("./commands/context/tree.ts")).tree(io, options)));
  context
    .command("receipt")
    .argument("<attempt>")
    .addOption(json())
    .action(async (attempt, options) =>
      exit((await import("./commands/context/receipt.ts")).receipt(io, attempt, options)),
    );
  context
    .command("get")
    .argument("[name]")
    .action(async name => exit(await (await import("./commands/context/get.ts")).get(io, name)));
  context
    .command("revert")
    .argument("<attempt>")
    .addOption(json())
    .action(async (attempt, options) =>
      exit(await (await import("./commands/context/revert.ts")).revert(io, attempt, options)),
    );
  context
    .command("node")
    .addArgument(new Argument("<action>").choices(["complete", "abandon", "merge"]))
    .argument("<node>")
    .option("--into <node>")
    .addOption(json())
    .action(async (action, node, options) =>
      exit(await (await import("./commands/context/node.ts")).node(io, action, node, options)),
    );
}
