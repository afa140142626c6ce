import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/** When a program is killed. */
export interface Moment {
  /** The line that its work begins with, or is waited for. */
  readonly after: string;
  /** Lines of its work that are waited for besides: however slow the machine is, it gets as far. */
  readonly lines: number;
  /** Milliseconds after the last of them. */
  readonly ms: number;
}

/** What a program of Node printed until it was killed in the midst of its work, line by line. One of ours that cannot go on says `!`. */
export async function killedAmid(
  args: readonly string[],
  { after, lines: more, ms }: Moment,
): Promise<string[]> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = new Promise<void>(resolve => child.once("close", () => resolve()));
  const lines: string[] = [];
  await new Promise<void>(resolve => {
    let left = more + 1;
    createInterface({ input: child.stdout }).on("line", line => {
      lines.push(line);
      if (left <= more || line === after) left--;
      if (left === 0 || line.startsWith("!")) resolve();
    });
    child.once("exit", code => {
      if (code !== null && code !== 0) lines.push(`! it ended by itself with ${code}`);
      resolve();
    });
  });
  await pause(ms);
  child.kill("SIGKILL");
  await closed;
  return lines;
}
