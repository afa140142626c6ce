import { isChatter } from "../../text/index.ts";

/** Lines of which only programs know what they are for. */
const NOISE = /^(?:at |goroutine |note: |\^|node\.js v)/i;

/**
 * The line of a program's errors that gives a reason: the last that says so, else the last with words in it. What runners say of
 * a script that failed gives none.
 */
export function tellingLine(errors: string): string {
  const lines = errors
    .split("\n")
    .map(line => line.trim())
    .filter(line => /[A-Za-z가-힣]{3}/.test(line) && !NOISE.test(line));
  const own = lines.filter(line => !isChatter(line));
  const telling = own.findLast(line =>
    /error|fail|panic|fatal|exception|abort|cannot|not |invalid|limit|denied|fault/i.test(line),
  );
  return telling ?? own.at(-1) ?? lines.at(-1) ?? "";
}

/** The last lines of a text that hold more than spaces, at most so many. */
export function lastLines(text: string, most: number): readonly string[] {
  const lines = text.split("\n").filter(line => line.trim() !== "");
  return most === 0 ? [] : lines.slice(-most);
}

/** The last line of errors that holds more than spaces; not one that only passes on that a script has failed, where there is another. */
export function lastOwnLine(errors: string): string {
  const lines = errors.trimEnd().split("\n");
  return lines.findLast(line => line.trim() !== "" && !isChatter(line)) ?? lines.at(-1) ?? "";
}
