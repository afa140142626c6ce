import { type Command, Option } from "commander";
import { badValue } from "./help/bad-value.ts";
import type { Io } from "./io.ts";

function count(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < 1) throw badValue("keep");
  return Number(text);
}

const json = (): Option => new Option("--json");

/** `espalier checkpoint …`: full states of the work, and the deltas that bridge them. */
export function addCheckpoint(program: Command, io: Io, exit: (code: number) => void): void {
  const checkpoint = program.command("checkpoint");
  addLooking(checkpoint, io, exit);
  addDocuments(checkpoint, io, exit);
  addKeeping(checkpoint, io, exit);
}

function addLooking(checkpoint: Command, io: Io, exit: (code: number) => void): void {
  const look = () => import("./commands/checkpoint/look.ts");
  checkpoint
    .command("list")
    .addOption(json())
    .action(async options => exit((await look()).list(io, options)));
  checkpoint
    .command("show")
    .argument("[checkpoint]")
    .option("--raw")
    .addOption(json())
    .action(async (named, options) => exit((await look()).show(io, named, options)));
}

function addDocuments(checkpoint: Command, io: Io, exit: (code: number) => void): void {
  const documents = () => import("./commands/checkpoint/documents.ts");
  checkpoint
    .command("delta")
    .argument("<from>")
    .argument("<to>")
    .addOption(json())
    .action(async (from, to, options) => exit((await documents()).delta(io, from, to, options)));
  checkpoint
    .command("validate")
    .argument("[files...]")
    .addOption(json())
    .action(async (files, options) => exit((await documents()).validate(io, files, options)));
  checkpoint
    .command("apply")
    .argument("<delta>")
    .argument("[checkpoint]")
    .option("--anyway")
    .addOption(json())
    .action(async (delta, base, options) => exit((await documents()).apply(io, delta, base, options)));
  checkpoint
    .command("replay")
    .argument("<from>")
    .argument("<to>")
    .addOption(json())
    .action(async (from, to, options) => exit((await documents()).replay(io, from, to, options)));
}

function addKeeping(checkpoint: Command, io: Io, exit: (code: number) => void): void {
  const write = () => import("./commands/checkpoint/write.ts");
  const upkeep = () => import("./commands/checkpoint/upkeep.ts");
  checkpoint
    .command("create")
    .option("--why <text>")
    .option("--shift")
    .addOption(json())
    .action(async options => exit(await (await write()).create(io, options)));
  checkpoint
    .command("merge")
    .argument("<work>")
    .option("--into <checkpoint>")
    .option("--save")
    .option("--shift")
    .option("--why <text>")
    .addOption(json())
    .action(async (work, options) => exit((await write()).merge(io, work, options)));
  checkpoint
    .command("prune")
    .option("--keep <n>", "", count, 10)
    .option("--states")
    .option("--dry-run")
    .addOption(json())
    .action(async options => exit((await upkeep()).prune(io, options)));
  checkpoint
    .command("archive")
    .option("--learnings <file>")
    .addOption(json())
    .action(async options => exit((await upkeep()).archive(io, options)));
  checkpoint
    .command("doctor")
    .option("--deep")
    .option("--fix")
    .addOption(json())
    .action(async options => exit((await upkeep()).doctor(io, options)));
}
