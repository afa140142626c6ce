import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTokens } from "../src/tokens/index.ts";

/** Agents that a lead has at work at once. */
const PARALLEL = 5;
const PROGRAM = join(import.meta.dirname, "..", "bin", "espalier.js");
const MAIN = new URL("../src/cli/main.ts", import.meta.url).href;
const START = `const { main } = await import(${JSON.stringify(MAIN)}); await main(["node", "espalier", ...process.argv.slice(1)]);`;

/** The arguments of Node for one command of Espalier. */
export function espalier(...args: string[]): string[] {
  return ["--no-warnings", "--input-type=module", "-e", START, "--", ...args];
}

/** A plan of layers of ten: each task needs three of the layer before. */
export function tasksOf(count: number): string {
  const lines = ["# Shop", "## Phase 1: Build"];
  for (let at = 0; at < count; at++) {
    const layer = Math.floor(at / 10);
    lines.push(`### [ ] T${layer}.${at % 10}: Piece ${at}`);
    if (layer > 0)
      lines.push(`- depends_on: [${[0, 1, 2].map(by => `T${layer - 1}.${(at + by) % 10}`).join(", ")}]`);
  }
  return `${lines.join("\n")}\n`;
}

/** Has a folder with this plan in it for a while. */
export async function inFolder<T>(plan: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-bench-"));
  try {
    writeFileSync(join(folder, "TASKS.md"), plan);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a lead wrote to be answered, and the answer. */
interface Exchange {
  readonly wrote: string;
  readonly read: string;
}

/** How a lead talks to Espalier. */
export interface Lead {
  next(): Promise<Exchange>;
  start(ids: readonly string[]): Promise<readonly Exchange[]>;
  report(id: string, signal: string): Promise<Exchange>;
}

/** A process of the built program for each command; what it prints is read, on whichever stream. */
export function byCommandLine(folder: string): Lead {
  const run = (...args: string[]) =>
    new Promise<Exchange>((resolve, reject) => {
      execFile(process.execPath, [PROGRAM, ...args], { cwd: folder }, (error, out, said) => {
        const read = `${out}${said}`;
        if (error === null) resolve({ wrote: `espalier ${args.join(" ")}`, read });
        else reject(new Error(`espalier ${args.join(" ")}: ${read}`));
      });
    });
  return {
    next: () => run("next"),
    start: async ids => [await run("start", ...ids)],
    report: (id, signal) => run("report", id, signal),
  };
}

/** What leading a run took, in tokens, and the tasks that were completed. */
interface Led {
  /** All that Espalier answered. */
  readonly read: number;
  /** The last lines of the lead's own agents. */
  readonly heard: number;
  readonly wrote: number;
  readonly done: number;
}

/** Leads a run to its end. */
export async function leadToTheEnd(lead: Lead, folder: string): Promise<Led> {
  const sum = { read: 0, heard: 0, wrote: 0, done: 0 };
  const took = ({ wrote, read }: Exchange) => {
    sum.wrote += countTokens(wrote);
    sum.read += countTokens(read);
    return read;
  };
  for (let round = 0; round < 2_000; round++) {
    const next = took(await lead.next()).trim();
    if (next === "ALL_DONE") break;
    if (!next.startsWith("READY:")) continue;
    const ready = next.slice(6).split("|")[0]!.split("+")[0]!.split(",").slice(0, PARALLEL);
    const answers = (await lead.start(ready)).map(took).join("\n");
    const prompts = [...answers.matchAll(/^PROMPT:(.+)$/gm)].map(([, path]) => path!);
    for (const [at, id] of ready.entries()) {
      const path = prompts[at]!;
      sum.wrote += countTokens(`Read ${path} and do what it says.`);
      // Its agent reads that file, and hands its last line back.
      const word = /`DONE:`[^`]*`([^`]+)`/.exec(readFileSync(join(folder, path), "utf8"))?.[1] ?? "";
      const signal = `DONE:${word}`;
      sum.heard += countTokens(signal);
      if (took(await lead.report(id, signal)).startsWith("COMPLETED")) sum.done += 1;
    }
  }
  return sum;
}
