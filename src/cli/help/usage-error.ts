import { visible } from "../../text/index.ts";
import type { UsageWords, ValueKey } from "./shapes.ts";

/** What stands around the names in an error of commander's, and how it is told. */
type Slip = readonly [
  marks: readonly string[],
  tell: (words: UsageWords, names: readonly string[]) => string,
];

const SLIPS: readonly Slip[] = [
  [["unknown option '", "'"], (words, [flag = ""]) => words.unknownOption(flag)],
  [["unknown command '", "'"], (words, [name = ""]) => words.unknownCommand(name)],
  [["missing required argument '", "'"], (words, [name = ""]) => words.missingArgument(name)],
  [["required option '", "' not specified"], (words, [option = ""]) => words.missingOption(option)],
  [["option '", "' argument missing"], (words, [option = ""]) => words.missingValue(option)],
  [["option '", "' is empty"], (words, [option = ""]) => words.emptyOption(option)],
  [["argument '", "' is empty"], (words, [name = ""]) => words.emptyArgument(name)],
  [
    ["too many arguments for '", "'. Expected ", " argument", " but got ", ": ", "."],
    (words, [command = "", expected, , received, values = ""]) =>
      words.tooMany(command, Number(expected), Number(received), values),
  ],
  [
    ["option '", "' argument '", "' is invalid. ", ""],
    (words, [option = "", value = "", why = ""]) => words.badOption(option, value, whyBad(words, why)),
  ],
  [
    ["command-argument value '", "' is invalid for argument '", "'. ", ""],
    (words, [value = "", argument = "", why = ""]) => words.badArgument(argument, value, whyBad(words, why)),
  ],
];

const PREFIX = "error: ";
const GUESS = "\n(Did you mean ";
const CHOICES = "Allowed choices are ";

/** What stands between the marks of a text; undefined where it has them not. The last one ends it. */
function between(text: string, marks: readonly string[]): string[] | undefined {
  const [first = "", ...rest] = marks;
  if (!text.startsWith(first)) return undefined;
  const found: string[] = [];
  let at = first.length;
  for (const [index, mark] of rest.entries()) {
    const end = index < rest.length - 1 ? text.indexOf(mark, at) : text.length - mark.length;
    if (end < at || !text.startsWith(mark, end)) return undefined;
    found.push(text.slice(at, end));
    at = end + mark.length;
  }
  return found;
}

function whyBad({ values, allowed }: UsageWords, why: string): string {
  if (why.startsWith(CHOICES)) return allowed(why.slice(CHOICES.length, -1));
  return Object.hasOwn(values, why) ? values[why as ValueKey] : why;
}

/** An error of commander's in the words of a language; what is none of those it knows stays as it is. */
export function usageError(message: string, words: UsageWords): string {
  const [text = "", guess] = message.trimEnd().split(GUESS);
  const told = SLIPS.flatMap(([marks, tell]) => {
    const names = between(text.slice(PREFIX.length), marks);
    return names === undefined
      ? []
      : [
          tell(
            words,
            names.map(name => visible(name, 200)),
          ),
        ];
  })[0];
  if (told === undefined) return message;
  const names = guess
    ?.replace(/^one of /, "")
    .slice(0, -2)
    .split(", ");
  return `${words.error(told)}${names === undefined ? "" : `\n${words.didYouMean(names)}`}\n`;
}
