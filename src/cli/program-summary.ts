import { type Command, InvalidArgumentError, Option } from "commander";
import type { Io } from "./io.ts";

function level(text: string): 0 | 1 | 2 | 3 {
  if (!/^[0-3]$/.test(text)) throw new InvalidArgumentError("0 (all), 1 (detailed), 2 (brief) or 3 (key)");
  return Number(text) as 0 | 1 | 2 | 3;
}

/** `espalier summarize`: one output at one level, and what that costs. */
export function addSummarize(program: Command, io: Io, exit: (code: number) => void): void {
  program
    .command("summarize")
    .description("show an output at a summary level; needs no model. - reads standard input")
    .argument("<file>")
    .option("--level <n>", "0 all, 1 detailed (3000 tokens), 2 brief (1000), 3 key (300)", level, 2)
    .option(
      "--why",
      "also what the level lost, the contract's problems, the evaluation and the artifact index",
    )
    .option("--id <name>", "whom the output is from; by default its contract or the file's name says it")
    .option("--model [name]", "let a model condense it first; without a name the one of budget.model")
    .option("--base-url <url>", "where the model answers, OpenAI-compatible, e.g. http://127.0.0.1:11434/v1")
    .option("--key-env <name>", "environment variable that holds the model's key")
    .option("-y, --yes", "approve the model that espalier.yaml names")
    .addOption(new Option("--json", "print JSON"))
    .action(async (file, options) =>
      exit(await (await import("./commands/summarize.ts")).summarizeFile(io, file, options)),
    );
}
