import { type Command, InvalidArgumentError } from "commander";

function tokens(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("a number of tokens, 1 or more");
  return value;
}

function dollars(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError("an amount in US dollars, such as 2.50");
  return value;
}

/** What a run may take in all, for the commands that begin attempts. */
export function limitOptions(command: Command): Command {
  return command
    .option(
      "--max-tokens <n>",
      "the most tokens the run may take; no attempt that would pass it begins",
      tokens,
    )
    .option("--max-cost <usd>", "the most US dollars the run may cost", dollars);
}
