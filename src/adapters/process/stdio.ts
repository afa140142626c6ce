import { closeSync, constants, openSync, unlinkSync, writeFileSync } from "node:fs";
import { takeFifo } from "./fifo-stock.ts";
import { temporaryPath } from "./temporary.ts";

/** File descriptors for a child's streams. The parent's ends of its output are undefined where Node makes them. */
export interface Stdio {
  /** For `spawn`: stdin, stdout, stderr and, with a script, descriptor 3. */
  readonly child: readonly ("ignore" | "pipe" | number)[];
  readonly stdout: number | undefined;
  readonly stderr: number | undefined;
  /** Closes the child's ends, once it has its own copies or could not start. */
  releaseChild(): void;
  /** Closes the parent's ends, when nothing has taken them over. */
  releaseParent(): void;
}

export interface Inputs {
  /** The whole of stdin; without it stdin is empty. */
  readonly input?: string;
  /** Stdin is a pipe that is written to while the program runs. */
  readonly channel?: true;
  /** Readable from descriptor 3. */
  readonly script?: string;
}

/**
 * Opens a child's streams.
 *
 * Node gives children socket pairs, and on Linux a socket cannot be opened by name: `echo x > /dev/stderr`,
 * `tee /dev/stderr` and `cat /dev/stdin` fail, and `bash` takes it for a remote login and reads `.bashrc`. So stdin is
 * a file that has no name any more, and output goes through FIFOs that have none either: as in a terminal's
 * `agent < prompt | cat`. Where FIFOs cannot be made, output falls back to what Node gives. Throws what the operating
 * system says (EMFILE, ENOSPC …).
 */
export async function openStdio(inputs: Inputs): Promise<Stdio> {
  const child: number[] = [];
  const parent: number[] = [];
  try {
    const empty = inputs.channel === true ? "pipe" : "ignore";
    const stdin = inputs.input === undefined ? empty : nameless(inputs.input);
    if (typeof stdin === "number") child.push(stdin);
    const script = inputs.script === undefined ? [] : [nameless(inputs.script)];
    child.push(...script);
    const ends = [];
    for (const _ of ["stdout", "stderr"]) {
      const fifo = await takeFifo();
      ends.push(fifo);
      if (fifo !== undefined) {
        child.push(fifo.write);
        parent.push(fifo.read);
      }
    }
    const [out, err] = ends;
    return {
      child: [stdin, out?.write ?? "pipe", err?.write ?? "pipe", ...script],
      stdout: out?.read,
      stderr: err?.read,
      releaseChild: () => closeAll(child),
      releaseParent: () => closeAll(parent),
    };
  } catch (error) {
    closeAll(child);
    closeAll(parent);
    throw error;
  }
}

function closeAll(descriptors: number[]): void {
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
}

/** A readable file with this content that no path leads to. */
function nameless(content: string): number {
  const path = temporaryPath();
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o600 });
    return openSync(path, constants.O_RDONLY);
  } finally {
    remove(path);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made; the error of making it is on its way.
  }
}
