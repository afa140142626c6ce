import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEventQueue } from "../../src/adapters/agent/event-queue.ts";
import { createSaid } from "../../src/adapters/agent/said-lines.ts";
import { createTextReader } from "../../src/adapters/agent/text-reader.ts";
import { createByteTail, runShellCommand } from "../../src/adapters/process/index.ts";
import { createRedactor } from "../../src/text/index.ts";
import { ENV } from "./process-fixtures.ts";

const SECRET = "hunter2-Hunter3-hunter4";
const redact = createRedactor([SECRET]);
const mask = () => redact.stream();
/** A private key of which only the end fits into 4 KiB. */
const KEY = `-----BEGIN PRIVATE KEY-----\n${`${"aB3x".repeat(16)}\n`.repeat(80)}-----END PRIVATE KEY-----\n`;

/** Behind each of these, a cut that keeps `kept` bytes falls into a secret, at each of its bytes. */
function cutAnywhere(kept: number): string[] {
  const all = Array.from(SECRET, (_, at) => `${SECRET}\n${"x".repeat(kept - SECRET.length + at)}`);
  return [...all, `${KEY}${"y".repeat(kept - 1000)}\n`];
}

/** Texts of four letters in a row that only a secret has. */
const told = (text: string): string[] => text.match(/hunt|Hunt|nter|er[234]|aB3x/g) ?? [];

describe("what is kept of the end of an output", () => {
  it("[E43] is cut behind the mask", () => {
    for (const text of cutAnywhere(4096)) {
      const tail = createByteTail(4096, mask());
      for (let at = 0; at < text.length; at += 1000) tail.push(Buffer.from(text.slice(at, at + 1000)));
      const kept = tail.text();
      expect(told(kept)).toEqual([]);
      expect(tail.total).toBe(text.length);
      expect(kept.endsWith(text.slice(-100))).toBe(true);
    }
  });

  it("[E43] of a line whose beginning is gone as well", () => {
    const tail = createByteTail(100, mask());
    tail.push(Buffer.from(`${SECRET.repeat(3)}\nsaid`));
    expect(tail.wholeLines()).toBe("[redacted][redacted][redacted]\nsaid");
  });

  it("[E43] in a check, of both of its streams", async () => {
    for (const text of [cutAnywhere(4096)[9]!, KEY + "z".repeat(3000)]) {
      for (const to of [1, 2]) {
        const { tail } = await runShellCommand({
          command: `printf %s "$TEXT" >&${to}`,
          task: "T1.1",
          title: "verify",
          token: `masked-${process.pid}-${to}`,
          cwd: "/",
          env: { ...ENV, TEXT: text },
          limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000, logBytes: 1_000 },
          log: () => {},
          mask,
        });
        expect(told(tail)).toEqual([]);
        expect(tail.endsWith(text.slice(-100))).toBe(true);
      }
    }
  });

  it("[E43] of each stream by itself, whatever the other one says in between", async () => {
    const folder = mkdtempSync(join(tmpdir(), "espalier-masked-"));
    const [head, rest] = [SECRET.slice(0, 9), SECRET.slice(9)];
    // The command waits for each piece to be heard before it says the next one.
    const heard = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done`;
    /** Bytes that have been heard once each piece is. */
    const pieces = { first: 9, second: 19, third: 10 + SECRET.length };
    let bytes = 0;
    const { tail } = await runShellCommand({
      command: [
        'printf %s "$HEAD"',
        heard("first"),
        'printf "<%s" "$HEAD" >&2',
        heard("second"),
        'printf %s "$REST"',
        heard("third"),
        'printf "%s>" "$REST" >&2',
      ].join("\n"),
      task: "T1.1",
      title: "verify",
      token: `masked-${process.pid}-both`,
      cwd: folder,
      env: { ...ENV, HEAD: head, REST: rest },
      limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000, logBytes: 1_000 },
      log: (_stream, chunk) => {
        bytes += chunk.length;
        for (const [name, all] of Object.entries(pieces))
          if (bytes >= all) writeFileSync(join(folder, name), "");
      },
      mask,
    });
    rmSync(folder, { recursive: true });
    expect(told(tail)).toEqual([]);
    expect(tail.replaceAll("[redacted]", "*")).toBe("*\n<*>");
  });

  it("[E43] in the last message of an agent that writes text, and of one that tells it", () => {
    for (const text of cutAnywhere(1 << 16)) {
      const queue = createEventQueue(() => {});
      const reader = createTextReader({ agent: "mine", queue, mask, byExit: true, limits: [] });
      reader.write("stdout", Buffer.from(text));
      reader.write("stderr", Buffer.from(`failed: ${SECRET}\n`));
      const { finalMessage } = reader.end({ exitCode: 1, cause: "exit" });
      expect(told(finalMessage)).toEqual([]);
      expect(finalMessage.endsWith("\nfailed: [redacted]")).toBe(true);

      const said = createSaid(
        createEventQueue(() => {}),
        mask,
      );
      said.piece(text.slice(0, 20));
      said.piece(text.slice(20));
      said.end();
      expect(told(said.message())).toEqual([]);
      said.final(text);
      expect(told(said.message())).toEqual([]);
    }
  });
});
