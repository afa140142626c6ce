import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/**
 * An agent that does as it is told: it writes a file of its own and its part of a file that everybody writes, and resolves a
 * conflict by keeping both sides. `node agent.ts append|edit`
 */
const [, , how] = process.argv;
const { ESPALIER_TASK: task = "", ESPALIER_SIGNAL_ID: signal = "", BENCH_TURNS: turns = "" } = process.env;

/** Between 100 and 400 ms, the same for the same task. */
const pause = 100 + (Array.from(task).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 300);

/** Both sides of every conflict, one after the other. */
function bothSides(text: string): string {
  const isMark = (line: string) => /^(?:<{7} [0-9a-f]{40}|={7}|>{7} [0-9a-f]{40})$/.test(line);
  return text
    .split("\n")
    .filter(line => !isMark(line))
    .join("\n");
}

/** The file with one line of this task's at its end. */
function withLine(text: string): string {
  const line = `- ${task} is done\n`;
  return `${text}\n`.includes(`\n${line}`) ? text : `${text}${line}`;
}

/** The file with this task's word on every line; of lines in conflict the words of both sides. */
function withWords(text: string): string {
  const lines = new Map<string, Set<string>>();
  for (const line of text.split("\n").filter(Boolean)) {
    const [name = "", ...words] = line.split(" ");
    lines.set(name, new Set([...(lines.get(name) ?? []), ...words, task]));
  }
  return Array.from(lines, ([name, words]) => `${[name, ...words].join(" ")}\n`).join("");
}

for await (const _ of process.stdin);
appendFileSync(turns, `${task}\n`);
await wait(pause);
const shared = how === "append" ? "CHANGES.md" : "table.txt";
const was = existsSync(shared) ? bothSides(readFileSync(shared, "utf8")) : "";
writeFileSync(shared, how === "append" ? withLine(was) : withWords(was));
const own = `own/${encodeURIComponent(task)}.txt`;
mkdirSync(dirname(own), { recursive: true });
writeFileSync(own, `${task}\n`);
process.stdout.write(`DONE:${signal}\n`);
