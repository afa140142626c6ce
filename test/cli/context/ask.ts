import { Readable } from "node:stream";
import type { Io } from "../../../src/cli/io.ts";
import { runCommandLine } from "../../../src/cli/main.ts";
import type { Lab } from "../lab.ts";
import { requirePublished } from "../published.ts";

/** How a command ended. */
export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `espalier context …` in this process with something on standard input, and a terminal where one is asked for. */
export async function context(
  lab: Lab,
  args: readonly string[],
  { stdin = "", tty = false }: { readonly stdin?: string | Uint8Array; readonly tty?: boolean } = {},
): Promise<Answer> {
  const out = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr"): NodeJS.WriteStream => {
    const write = (text: string): boolean => {
      out[name] += text;
      return true;
    };
    return { write, isTTY: tty } as unknown as NodeJS.WriteStream;
  };
  const io: Io = {
    cwd: lab.root,
    env: { ...lab.env, NO_COLOR: "1" },
    stdin: Readable.from([Buffer.from(stdin)]) as unknown as NodeJS.ReadStream,
    stdout: stream("stdout"),
    stderr: stream("stderr"),
  };
  const code = await runCommandLine(io, ["node", "espalier", "context", ...args]);
  requirePublished(["context", ...args], out.stdout);
  return { code, ...out };
}

/** An acknowledgement of `GC` as a reader writes it. */
export function ackOf(version: number, items: string, action = "CONTINUE"): string {
  return `[ACK-UPDATE] GC-v${version} received. Items: ${items}. Impact: NONE. Action: ${action}\n`;
}
