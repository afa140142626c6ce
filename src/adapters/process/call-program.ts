import { execFile } from "node:child_process";
import { CALLER_VARIABLE } from "./markers.ts";

/** A program that is run to its end for what it says; no shell, and a group of its caller's. */
export interface ProgramCall {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The whole of its stdin. */
  readonly input: string | Uint8Array;
  readonly longestMs: number;
  /** Bytes it may say at most. */
  readonly mostBytes: number;
}

/** How a call ended. */
export interface CallEnd {
  /** Undefined where the program did not end by itself; `why` says then what happened. */
  readonly code: number | undefined;
  readonly why: string;
  readonly stdout: Buffer;
  readonly stderr: string;
}

let isOver = false;

/** Calls no program any more: this process leaves. */
export function callNoMore(): void {
  isOver = true;
}

/** Calls a program from this very process. Never rejects. */
export function callHere(call: ProgramCall): Promise<CallEnd> {
  if (isOver) {
    const nothing = Buffer.alloc(0);
    return Promise.resolve({ code: undefined, why: "its caller leaves", stdout: nothing, stderr: "" });
  }
  const { file, args, cwd, env, input, longestMs, mostBytes } = call;
  return new Promise(resolve => {
    const limits = { timeout: longestMs, maxBuffer: mostBytes };
    const child = execFile(
      file,
      args,
      { cwd, env: { ...env, [CALLER_VARIABLE]: `${process.pid}` }, encoding: "buffer", ...limits },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        const why = error?.killed === true && code === null ? "late" : `${code ?? error?.signal ?? "?"}`;
        resolve({
          code: typeof code === "number" ? code : undefined,
          why,
          stdout,
          stderr: stderr.toString(),
        });
      },
    );
    // A program may end before it has read everything; what it then says is what counts.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
