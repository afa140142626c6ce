import { fail, ok, type Result } from "../../ports/index.ts";

/** Why a command line cannot be used as it stands. */
export interface CommandLineProblem {
  readonly message: string;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
}

/** Characters that mean something to a shell; what they mean when they stand outside quotes. */
const OPERATORS: Readonly<Record<string, string>> = {
  "|": "a pipe",
  "&": "a background job or `&&`",
  ";": "a second command",
  "<": "a redirection",
  ">": "a redirection",
  "(": "a subshell",
  ")": "a subshell",
};

const BLANKS = " \t\r\n";

/**
 * Splits a command line into program and arguments as a shell would, without a shell: blanks separate, `'…'` keeps
 * everything, `"…"` keeps all but `\"` `\\` `\$` and `` \` ``, a backslash keeps the next character. Nothing is expanded:
 * wildcards stay as they are; pipes, redirections, variables, `~` and leading assignments are refused rather than
 * passed on as text.
 */
export function splitCommand(line: string): Result<readonly string[], CommandLineProblem> {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;

  while (at < line.length) {
    const character = line.charAt(at);
    if (BLANKS.includes(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
    } else if (character === "'" || character === '"') {
      const quoted = readQuoted(line, at, character);
      if (!quoted.ok) return quoted;
      word = (word ?? "") + quoted.value.text;
      at = quoted.value.end;
    } else if (character === "\\") {
      if (at + 1 === line.length) return problem("the command line ends in a lone backslash", at);
      // A backslash before the end of a line joins the lines.
      if (line.charAt(at + 1) !== "\n") word = (word ?? "") + line.charAt(at + 1);
      at += 2;
    } else {
      const refused = refusal(character, word === undefined, line, at);
      if (refused !== undefined) return problem(refused, at);
      word = (word ?? "") + character;
      at += 1;
    }
  }
  if (word !== undefined) words.push(word);
  return checkWords(words);
}

function checkWords(words: readonly string[]): Result<readonly string[], CommandLineProblem> {
  const program = words[0] ?? "";
  if (program === "") return problem("the command line names no program", 0);
  const equals = program.indexOf("=");
  if (equals > 0 && !program.includes("/")) {
    return problem(`it begins with a variable: write \`env ${program} …\``, 0);
  }
  return ok(words);
}

interface Quoted {
  readonly text: string;
  readonly end: number;
}

function readQuoted(line: string, start: number, quote: string): Result<Quoted, CommandLineProblem> {
  let text = "";
  for (let at = start + 1; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === quote) return ok({ text, end: at + 1 });
    if (character === "\0") return problem("a command line cannot hold a NUL character", at);
    if (quote === "'") {
      text += character;
    } else if (character === "\\" && '"\\$`\n'.includes(line.charAt(at + 1)) && at + 1 < line.length) {
      at += 1;
      if (line.charAt(at) !== "\n") text += line.charAt(at);
    } else if (character === "$" || character === "`") {
      return problem(expansion(character), at);
    } else {
      text += character;
    }
  }
  return problem(`the quote ${quote} is never closed`, start);
}

/** What is wrong with an unquoted character, if anything. */
function refusal(character: string, begins: boolean, line: string, at: number): string | undefined {
  const operator = OPERATORS[character];
  if (operator !== undefined) return `\`${character}\` is ${operator}, which needs a shell: ${WRAP}`;
  if (character === "$" || character === "`") return expansion(character);
  if (character === "\0") return "a command line cannot hold a NUL character";
  if (character === "~" && begins && (at + 1 === line.length || "/ \t".includes(line.charAt(at + 1)))) {
    return "`~` is not expanded: write the whole path";
  }
  return undefined;
}

const WRAP = "quote it, or wrap the command in sh -c '…'";

function expansion(character: string): string {
  return `\`${character}\` is not expanded here: put it in single quotes, or wrap the command in sh -c '…'`;
}

function problem(message: string, index: number): Result<never, CommandLineProblem> {
  return fail({ message, column: index + 1 });
}
