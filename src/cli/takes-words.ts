import type { Command } from "commander";

/** Whether an argument is spelled as an option is: an item of a list, or a dash before Korean words, is not. */
function isOption(text: string): boolean {
  return text === "--" || /^--?[a-z][\w-]*(=|$)/i.test(text);
}

/** Has the words of a command, which stand last, begin with a dash where a person writes them so. */
export function takesWords(command: Command): Command {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = given => {
    const at = given.findIndex(text => text.startsWith("-") && !isOption(text));
    return parse(at < 0 || given.slice(0, at).includes("--") ? given : given.toSpliced(at, 0, "--"));
  };
  return command;
}
