import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentEvent, AgentSession, SessionRequest } from "../../src/ports/index.ts";

/** A scratch folder with programs in it. */
export interface Shelf extends Disposable {
  readonly folder: string;
  /** An executable file with this text. */
  put(name: string, text: string): string;
}

/** A new, empty shelf. */
export function openShelf(): Shelf {
  const folder = mkdtempSync(join(tmpdir(), "espalier-bench-"));
  return {
    folder,
    put(name, text) {
      const file = join(folder, name);
      writeFileSync(file, text);
      chmodSync(file, 0o755);
      return file;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

let requests = 0;

/** A request with an hour of time. */
export function request(cwd: string, given: Partial<SessionRequest> = {}): SessionRequest {
  requests += 1;
  return {
    task: "T1.1",
    attempt: 1,
    token: `bench-${process.pid}-${requests}`,
    cwd,
    env: { PATH: process.env["PATH"] ?? "" },
    limits: { wallMs: 3_600_000, idleMs: 3_600_000, graceMs: 2_000, logBytes: 1 << 20 },
    log: () => {},
    ...given,
  };
}

/** Takes in a whole turn; says when the first event came that is not the start of the process. */
export async function hear(
  session: AgentSession,
  message: string,
): Promise<{ firstMs: number; end: AgentEvent }> {
  const began = performance.now();
  let firstMs = Number.NaN;
  let last: AgentEvent | undefined;
  for await (const event of session.turn(message)) {
    if (Number.isNaN(firstMs) && event.type !== "process") firstMs = performance.now() - began;
    last = event;
  }
  if (last?.type !== "ended") throw new Error("no end");
  return { firstMs, end: last };
}

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
