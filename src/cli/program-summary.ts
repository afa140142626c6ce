import { type Command, Option } from "commander";
import { badValue } from "./help/bad-value.ts";
import type { Io } from "./io.ts";

function level(text: string): 0 | 1 | 2 | 3 {
  if (!/^[0-3]$/.test(text)) throw badValue("level");
  return Number(text) as 0 | 1 | 2 | 3;
}

/** `espalier summarize`: one output at one level, and what that costs. */
export function addSummarize(program: Command, io: Io, exit: (code: number) => void): void {
  program
    .command("summarize")
    .argument("<file>")
    .option("--level <n>", "", level, 2)
    .option("--why")
    .option("--id <name>")
    .option("--model [name]")
    .option("--base-url <url>")
    .option("--key-env <name>")
    .option("-y, --yes")
    .addOption(new Option("--json"))
    .action(async (file, options) =>
      exit(await (await import("./commands/summarize.ts")).summarizeFile(io, file, options)),
    );
}
