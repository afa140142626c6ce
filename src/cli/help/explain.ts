import { type Argument, type Command, CommanderError, Help, type Option } from "commander";
import { EXIT } from "../../ports/index.ts";
import type { Io } from "../io.ts";
import { buildProgram } from "../program.ts";
import { localeOf } from "../project.ts";
import { textWidth } from "../views/terminal/width.ts";
import type { HelpWords } from "./shapes.ts";
import { usageError } from "./usage-error.ts";

/** The words of a language, which no command needs that succeeds. */
async function wordsOf(io: Io): Promise<HelpWords> {
  if (localeOf(io) === "ko") return (await import("./korean/index.ts")).KOREAN_HELP;
  return (await import("./english/index.ts")).ENGLISH_HELP;
}

/** The name of an argument as usage shows it. */
export function partOf(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function withNotes(
  { choices, byDefault }: HelpWords["usage"],
  text: string,
  part: Option | Argument,
  isShown: boolean,
): string {
  const { argChoices, defaultValue } = part;
  const notes = [
    ...(argChoices === undefined ? [] : [choices(argChoices.map(one => JSON.stringify(one)).join(", "))]),
    ...(defaultValue === undefined || !isShown ? [] : [byDefault(JSON.stringify(defaultValue))]),
  ];
  return [text, ...(notes.length === 0 ? [] : [`(${notes.join(", ")})`])].filter(Boolean).join(" ");
}

/** Gives a command and those below it their descriptions, and a place to write to. */
function describe(command: Command, path: readonly string[], words: HelpWords, io: Io): void {
  const { usage, shared, commands } = words;
  const own = commands[path.join(" ")] ?? {};
  const told = (part: string) => own[part] ?? shared[part] ?? "";
  const isGroup = command.commands.length > 0;
  const layout = new Help();
  const inWords = (line: string) =>
    Object.entries(usage.syntax).reduce((text, [from, to]) => text.replace(from, to), line);
  command.description(path.length === 0 ? words.about : (own["about"] ?? ""));
  for (const argument of command.registeredArguments) argument.description = told(partOf(argument));
  for (const option of command.options) option.description = told(option.long ?? "");
  command.helpOption("-h, --help", usage.helpOption);
  if (layout.visibleCommands(command).some(one => one.name() === "help"))
    command.helpCommand("help [command]", usage.helpCommand);
  command.configureHelp({
    displayWidth: textWidth,
    styleTitle: title => usage.titles[title as keyof typeof usage.titles] ?? title,
    commandUsage: one => inWords(layout.commandUsage(one)),
    subcommandTerm: one => inWords(layout.subcommandTerm(one)),
    optionDescription: option =>
      withNotes(usage, option.description, option, option.required || option.optional),
    argumentDescription: argument => withNotes(usage, argument.description, argument, true),
  });
  command.configureOutput({
    writeOut: text => void io.stdout.write(text),
    writeErr: text => void io.stderr.write(text),
    outputError: (text, write) => write(usageError(text, usage)),
  });
  if (path.length === 0) command.addHelpText("after", `\n${usage.newHere.join("\n")}`);
  const line = ["espalier", ...path, "--help"].join(" ");
  command.showHelpAfterError(isGroup ? usage.listsCommands(line) : usage.showsCall(line));
  for (const one of command.commands) describe(one, [...path, one.name()], words, io);
}

/** Says what a command line was not carried out for: help that was asked for, or what is wrong with it. */
export async function explain(io: Io, argv: readonly string[]): Promise<number> {
  const program = buildProgram(io, () => {}, argv[2]);
  describe(program, [], await wordsOf(io), io);
  try {
    await program.parseAsync([...argv]);
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    throw error;
  }
}
