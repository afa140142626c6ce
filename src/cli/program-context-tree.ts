import { Argument, type Command, Option } from "commander";
import type { Io } from "./io.ts";

const json = () => new Option("--json", "print JSON");

/** `espalier context tree | receipt | revert | node`: what tasks are given to read. */
export function addContextTree(context: Command, io: Io, exit: (code: number) => void): void {
  context
    .command("tree")
    .description("the context tree: documents with versions and tokens, who fills and who reads each node")
    .addOption(json())
    .action(async options => exit((await import("./commands/context/tree.ts")).tree(io, options)));
  context
    .command("receipt")
    .description("what an attempt was given to read, part by part, and what was left out")
    .argument("<attempt>", "T1.2 for the newest attempt, T1.2#1 for the first")
    .addOption(json())
    .action(async (attempt, options) =>
      exit((await import("./commands/context/receipt.ts")).receipt(io, attempt, options)),
    );
  context
    .command("get")
    .description("print a document or a task's result, whole, by its name; without a name what there is")
    .argument("[name]", "a label, the path of a document, or the id of a task")
    .action(async name => exit(await (await import("./commands/context/get.ts")).get(io, name)));
  context
    .command("revert")
    .description("take back what an attempt handed to the context tree")
    .argument("<attempt>", "T1.2#1")
    .addOption(json())
    .action(async (attempt, options) =>
      exit(await (await import("./commands/context/revert.ts")).revert(io, attempt, options)),
    );
  context
    .command("node")
    .description("end a branch of the context tree by hand; one whose tasks are done completes by itself")
    .addArgument(new Argument("<action>", "what becomes of it").choices(["complete", "abandon", "merge"]))
    .argument("<node>", "ctx-api")
    .option("--into <node>", "where its documents hang as well from now on (merge)")
    .addOption(json())
    .action(async (action, node, options) =>
      exit(await (await import("./commands/context/node.ts")).node(io, action, node, options)),
    );
}
