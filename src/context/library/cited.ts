import type { CitedPart } from "../../assembly/index.ts";
import { visible } from "../../text/index.ts";

/** What an answer may name: a source under the names that it was given by. */
export interface Citable {
  /** A label, or the id of a task. */
  readonly source: string;
  readonly names: readonly string[];
}

/** Characters of an answer and of a statement that are read, and of one that is kept. */
const MOST_READ = 64 * 1024;
const LONGEST_STATEMENT = 1000;
const LONGEST_SAID = 200;
/** Sources that are looked for. */
const MOST_SOURCES = 500;

/** Says that what it names is wrong, or holds no more. */
const AGAINST =
  /\b(?:contradict(?:s|ed|ing)?|contrary to|wrong|incorrect(?:ly)?|mistaken|outdated|obsolete|untrue|false|no longer (?:true|holds|valid|applies)|(?:is|was|are|were) not (?:true|correct|right|so)|isn't (?:true|correct|right)|does(?: not|n't) (?:hold|match))\b|모순|틀렸|틀린|틀림|잘못|사실과 다르|사실이 아니|맞지 않|더 이상 유효하지/iu;
/** Words that deny it, among the four before it; what denies it behind it, in Korean. */
const DENYING: ReadonlySet<string> = new Set(
  "not no nothing none never neither nor without doesn't don't isn't didn't wasn't aren't".split(" "),
);
const DENIED = /^(?:모순|틀린|잘못)\S{0,6}(?: 점\S{0,2}| 것\S{0,2})? ?(?:없|아니|않)/u;

/** Which sources an answer names in words of its own, code aside; in the order of the sources. */
export function citedIn(answer: string, sources: readonly Citable[]): CitedPart[] {
  const statements = statementsOf(answer.slice(0, MOST_READ));
  return sources.slice(0, MOST_SOURCES).flatMap(({ source, names }): CitedPart[] => {
    const naming = statements.filter(statement => names.some(name => isNamed(statement, name)));
    if (naming.length === 0) return [];
    const against = naming.filter(isAgainst);
    const said = visible(against[0] ?? naming[0]!, LONGEST_SAID);
    return [{ source, times: naming.length, against: against.length, said }];
  });
}

function isAgainst(statement: string): boolean {
  const at = statement.search(AGAINST);
  if (at < 0 || DENIED.test(statement.slice(at, at + 40))) return false;
  const before = statement
    .slice(Math.max(0, at - 80), at)
    .toLowerCase()
    .split(" ");
  return !before
    .filter(Boolean)
    .slice(-4)
    .some(word => DENYING.has(word));
}

/** Sentences, none across lines; blocks of code are none. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let inCode = false;
  for (const line of text.split("\n")) {
    if (/^ {0,8}(?:```|~~~)/.test(line)) inCode = !inCode;
    else if (!inCode)
      for (const one of line.slice(0, 8 * LONGEST_STATEMENT).split(/(?<=[.!?。]) /))
        if (one.trim() !== "") statements.push(one.trim().slice(0, LONGEST_STATEMENT));
  }
  return statements;
}

/** Whether a statement has a name as a word; one that could be any number or word only where its marks say that it is a name. */
function isNamed(statement: string, name: string): boolean {
  if (name.length < 2) return false;
  const isHangul = /^\p{Script=Hangul}/u.test(name);
  for (let at = statement.indexOf(name); at >= 0; at = statement.indexOf(name, at + 1)) {
    const before = statement.slice(Math.max(0, at - 24), at);
    const behind = statement.slice(at + name.length, at + name.length + 8);
    // Particles of Korean stand behind a name; what stands before it is another word's beginning.
    if (isHangul && /\p{L}$/u.test(before)) continue;
    if (/[A-Za-z0-9_./-]$/.test(before) || /^(?:[A-Za-z0-9_]|[./-][A-Za-z0-9])/.test(behind)) continue;
    const isMarked = /[[(`"'“]$/.test(before) && /^(?:#\d{1,4})?[\])`"'”]/.test(behind);
    if (isMarked || /^#\d/.test(behind)) return true;
    if (/^[\d.]+$/.test(name)) {
      if (/(?:tasks?|results? of|output of|태스크|작업|과제) ?$/i.test(before)) return true;
    } else if (/[A-Z0-9._/-]/.test(name)) return true;
  }
  return false;
}
