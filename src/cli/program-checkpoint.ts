import { type Command, InvalidArgumentError, Option } from "commander";
import type { Io } from "./io.ts";

function count(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < 1)
    throw new InvalidArgumentError("a number from 1 to 999999");
  return Number(text);
}

const json = (): Option => new Option("--json", "print JSON");

/** `espalier checkpoint …`: full states of the work, and the deltas that bridge them. */
export function addCheckpoint(program: Command, io: Io, exit: (code: number) => void): void {
  const checkpoint = program
    .command("checkpoint")
    .description(
      "full states of the work, and proved deltas between them: look, compare, replay, keep in order",
    );
  addLooking(checkpoint, io, exit);
  addDocuments(checkpoint, io, exit);
  addKeeping(checkpoint, io, exit);
}

function addLooking(checkpoint: Command, io: Io, exit: (code: number) => void): void {
  const look = () => import("./commands/checkpoint/look.ts");
  checkpoint
    .command("list")
    .description("every checkpoint, with what led to it")
    .addOption(json())
    .action(async options => exit((await look()).list(io, options)));
  checkpoint
    .command("show")
    .description("where the work stands: for somebody who was away")
    .argument("[checkpoint]", "an id or a file; the current one unless said")
    .option("--raw", "print the document itself")
    .addOption(json())
    .action(async (named, options) => exit((await look()).show(io, named, options)));
}

function addDocuments(checkpoint: Command, io: Io, exit: (code: number) => void): void {
  const documents = () => import("./commands/checkpoint/documents.ts");
  checkpoint
    .command("delta")
    .description("print the delta document from one checkpoint to another")
    .argument("<from>", "an id or a file")
    .argument("<to>", "an id or a file")
    .addOption(json())
    .action(async (from, to, options) => exit((await documents()).delta(io, from, to, options)));
  checkpoint
    .command("validate")
    .description("name every departure from the specification, with its line. Exit 1 on an error")
    .argument("[files...]", "checkpoints or deltas: ids or files; all checkpoints unless said")
    .addOption(json())
    .action(async (files, options) => exit((await documents()).validate(io, files, options)));
  checkpoint
    .command("apply")
    .description("print what a checkpoint becomes by a delta, byte for byte")
    .argument("<delta>", "a file, or a name such as delta-001-002")
    .argument("[checkpoint]", "an id or a file; the one the delta names unless said")
    .option("--anyway", "also where the delta tells people something else than its machine block does")
    .addOption(json())
    .action(async (delta, base, options) => exit((await documents()).apply(io, delta, base, options)));
  checkpoint
    .command("replay")
    .description("rebuild a state from another along the deltas, forward or back, and compare")
    .argument("<from>", "an id")
    .argument("<to>", "an id")
    .addOption(json())
    .action(async (from, to, options) => exit((await documents()).replay(io, from, to, options)));
}

function addKeeping(checkpoint: Command, io: Io, exit: (code: number) => void): void {
  const write = () => import("./commands/checkpoint/write.ts");
  const upkeep = () => import("./commands/checkpoint/upkeep.ts");
  checkpoint
    .command("create")
    .description("write where the run stands now, with the delta from the checkpoint before")
    .option("--why <text>", "what it is for: the beginning of the delta's summary")
    .option("--shift", "declare a change of direction")
    .addOption(json())
    .action(async options => exit(await (await write()).create(io, options)));
  checkpoint
    .command("merge")
    .description("merge new work into a checkpoint, section by section; conflicts are shown (exit 5)")
    .argument("<work>", "a file with any of a checkpoint's sections")
    .option("--into <checkpoint>", "an id or a file; the current one unless said")
    .option("--save", "make the result the next checkpoint")
    .option("--shift", "declare a change of direction: a new Session Intent replaces the old one")
    .option("--why <text>", "what it is for")
    .addOption(json())
    .action(async (work, options) => exit((await write()).merge(io, work, options)));
  checkpoint
    .command("prune")
    .description("drop old deltas whose targets stand in full, or old full states that deltas lead to")
    .option("--keep <n>", "newest checkpoints that stay as they are", count, 10)
    .option("--states", "drop full states; each is rebuilt and compared first")
    .option("--dry-run", "say what would go")
    .addOption(json())
    .action(async options => exit((await upkeep()).prune(io, options)));
  checkpoint
    .command("archive")
    .description("close the history with a last checkpoint, and move it to archive/")
    .option("--learnings <file>", "what was learned; becomes the section Completion")
    .addOption(json())
    .action(async options => exit((await upkeep()).archive(io, options)));
  checkpoint
    .command("doctor")
    .description("check that everything fits together. Exit 1 when it does not")
    .option("--deep", "carry every delta out and compare")
    .option("--fix", "make again what can be derived: missing deltas, INDEX.md")
    .addOption(json())
    .action(async options => exit((await upkeep()).doctor(io, options)));
}
