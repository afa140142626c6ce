import type { Command } from "commander";

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(isEmpty);
  return typeof value === "string" && value.trim() === "";
}

/**
 * Refuses a command line in which an argument or the value of an option is empty, as a variable of a shell that nobody has set
 * leaves it: the command would be carried out as though it had not been given, or with nothing for a name. Free to be empty
 * are options that are so by default, and the words that a shell completes. Throws commander's error.
 */
export function refuseEmpty(command: Command): void {
  if (command.name() === "completion") return;
  const refuse = (what: string) => command.error(`error: ${what} is empty`);
  for (const [index, argument] of command.registeredArguments.entries()) {
    const given = command.args.slice(index, argument.variadic ? undefined : index + 1);
    if (given.some(isEmpty)) refuse(`argument '${argument.name()}'`);
  }
  for (const option of command.options) {
    const name = option.attributeName();
    if (option.defaultValue === "" || command.getOptionValueSource(name) !== "cli") continue;
    if (isEmpty(command.getOptionValue(name))) refuse(`option '${option.flags}'`);
  }
}
