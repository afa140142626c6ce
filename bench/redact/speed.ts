import { createRedactor } from "../../src/text/index.ts";
import { digest, KINDS } from "./ordinary.ts";

const RUNS = 5;
const BYTES = 2 ** 20;
/** What files are read in, and what agents write at a time. */
const PIECES = [64 * 1024, 200];

/** Megabytes a second of processor time, the best of some runs. */
function speed(work: () => number): number {
  let best = Infinity;
  let bytes = 0;
  for (let run = 0; run < RUNS; run++) {
    const began = process.cpuUsage();
    bytes = work();
    const { user, system } = process.cpuUsage(began);
    best = Math.min(best, user + system);
  }
  return bytes / best;
}

function textOf(write: (at: number) => string): string {
  let text = "";
  for (let at = 0; text.length < BYTES; at++) text += write(at);
  return text.slice(0, BYTES);
}

function cut(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

const shown = (megabytes: number): string =>
  Number.isFinite(megabytes) ? megabytes.toFixed(megabytes < 100 ? 1 : 0).padStart(7) : "-".padStart(7);

/** How fast texts of each kind go through, beside `replaceAll` of the plain form alone, and beside a copy. */
export function measureSpeed(counts: readonly number[]): void {
  const texts = Object.entries(KINDS).map(([kind, write]) => [kind, textOf(write)] as const);
  for (const count of counts) {
    const secrets = Array.from({ length: count }, () => digest("sha256", "base64"));
    const redact = createRedactor(secrets);
    console.log(`${count} secrets, MB/s: pieces of ${PIECES.join(", of ")} bytes, a copy; text, replaceAll`);
    for (const [kind, text] of texts) {
      const bytes = Buffer.from(text);
      const streamed = PIECES.map(size => {
        const pieces = cut(bytes, size);
        return speed(() => {
          const stream = redact.stream();
          return pieces.reduce((sum, piece) => sum + stream.push(piece).length, 0) + stream.end().length;
        });
      });
      const pieces = cut(bytes, PIECES[0]!);
      const copied = speed(() => pieces.reduce((sum, piece) => sum + Uint8Array.from(piece).length, 0));
      const whole = speed(() => Buffer.byteLength(redact(text)));
      const peer = speed(() =>
        Buffer.byteLength(secrets.reduce((left, secret) => left.replaceAll(secret, "[redacted]"), text)),
      );
      console.log([...streamed, copied, whole, peer].map(shown).join(" "), kind);
    }
  }
}
