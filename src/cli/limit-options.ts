import type { Command } from "commander";
import { badValue } from "./help/bad-value.ts";

function tokens(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw badValue("tokens");
  return value;
}

function dollars(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value < 0) throw badValue("amount");
  return value;
}

/** What a run may take in all, for the commands that begin attempts. */
export function limitOptions(command: Command): Command {
  return command.option("--max-tokens <n>", "", tokens).option("--max-cost <usd>", "", dollars);
}
