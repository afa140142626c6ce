import { spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
  readonly input?: string | undefined;
  /** Readable once from descriptor 3. */
  readonly script?: string | undefined;
}

/**
 * Opens a child's streams.
 *
 * Node gives children socket pairs, and on Linux a socket cannot be opened by name: `echo x > /dev/stderr`,
 * `tee /dev/stderr` and `cat /dev/stdin` fail. So stdin is a file that has no name any more, and output goes
 * through FIFOs that lose theirs at once: both behave as in a terminal's `agent < prompt | cat`. Where FIFOs cannot
 * be made, output falls back to what Node gives. Throws what the operating system says (EMFILE, ENOSPC …).
 */
export async function openStdio(inputs: Inputs): Promise<Stdio> {
  const folder = mkdtempSync(join(tmpdir(), "espalier-"));
  const child: number[] = [];
  const parent: number[] = [];
  try {
    const stdin = inputs.input === undefined ? "ignore" : keep(child, nameless(folder, inputs.input));
    const script = inputs.script === undefined ? [] : [keep(child, nameless(folder, inputs.script))];
    const names = [join(folder, "out"), join(folder, "err")];
    const [out, err] = (await makeFifos(names)) ? names.map(openFifo) : [];
    if (out !== undefined) parent.push(out.read), child.push(out.write);
    if (err !== undefined) parent.push(err.read), child.push(err.write);
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
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function keep(list: number[], descriptor: number): number {
  list.push(descriptor);
  return descriptor;
}

function closeAll(descriptors: number[]): void {
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
}

/** A readable file with this content that no path leads to. */
function nameless(folder: string, content: string): number {
  const path = join(folder, "in");
  writeFileSync(path, content, { flag: "wx", mode: 0o600 });
  const descriptor = openSync(path, constants.O_RDONLY);
  unlinkSync(path);
  return descriptor;
}

/** False when this system cannot make them here. */
function makeFifos(paths: readonly string[]): Promise<boolean> {
  if (process.platform !== "linux") return Promise.resolve(false);
  return new Promise(resolve => {
    try {
      const maker = spawn("mkfifo", ["-m", "600", ...paths], { stdio: "ignore" });
      maker.on("error", () => resolve(false));
      maker.on("exit", code => resolve(code === 0));
    } catch {
      resolve(false);
    }
  });
}

/** Both ends of a FIFO, in blocking mode as children expect; opening one end alone would wait for the other. */
function openFifo(path: string): { readonly read: number; readonly write: number } {
  const both = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  let read: number | undefined;
  try {
    read = openSync(path, constants.O_RDONLY);
    return { read, write: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    if (read !== undefined) closeSync(read);
    throw error;
  } finally {
    closeSync(both);
  }
}
