import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ownedFileCalls, readBounded, writeAtomic } from "../adapters/file/index.ts";
import { because, EXIT } from "../ports/index.ts";
import { errorFor } from "../text/index.ts";

/** Whose a token is: a worker's machine, or somebody's who runs plans. */
export type Role = "machine" | "run";

const tokenShape = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  pool: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  role: z.enum(["machine", "run"]),
  /** SHA-256 of the token: it has 256 bits itself, so that nothing is to be guessed. */
  hash: z.string().length(64),
  /** Epoch milliseconds. */
  expires: z.number(),
});
const fileShape = z.strictObject({ version: z.literal(1), tokens: z.array(tokenShape).max(10_000) });

export type KnownToken = z.output<typeof tokenShape>;

const MOST_BYTES = 8 * 1024 ** 2;
const PREFIX = "esp_";

const fileOf = (folder: string) => join(folder, "tokens.json");
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

/** The tokens of a hub's folder. Throws EspalierError where their file is damaged. */
export function readTokens(folder: string): readonly KnownToken[] {
  const bytes = readBounded(fileOf(folder), { maxBytes: MOST_BYTES, calls: ownedFileCalls });
  if (!bytes.ok && bytes.failure.kind === "missing") return [];
  const problem = (said: string) =>
    errorFor("BAD_TOKENS", because("tokens-unreadable", { path: fileOf(folder), said }), {
      advice: because("renew-tokens", {}),
      exitCode: EXIT.environment,
    });
  if (!bytes.ok) throw problem(bytes.failure.message);
  try {
    return fileShape.parse(JSON.parse(Buffer.from(bytes.value).toString("utf8"))).tokens;
  } catch (error) {
    throw problem(error instanceof Error ? error.message : String(error));
  }
}

function writeTokens(folder: string, tokens: readonly KnownToken[]): void {
  const text = `${JSON.stringify({ version: 1, tokens }, undefined, 1)}\n`;
  const written = writeAtomic(fileOf(folder), text, { mode: 0o600, calls: ownedFileCalls });
  if (written.ok) return;
  const reason = because("tokens-unwritable", { path: fileOf(folder), said: written.failure.message });
  throw errorFor("BAD_TOKENS", reason, {
    advice: because("room-or-rights", {}),
    exitCode: EXIT.environment,
  });
}

/** Makes a token, which is known nowhere afterwards but to whoever is told now; one of the same name and role goes. */
export function addToken(folder: string, given: Omit<KnownToken, "hash">): string {
  const token = `${PREFIX}${randomBytes(32).toString("base64url")}`;
  const others = readTokens(folder).filter(
    ({ name, pool, role }) => name !== given.name || pool !== given.pool || role !== given.role,
  );
  writeTokens(folder, [...others, tokenShape.parse({ ...given, hash: hashOf(token) })]);
  return token;
}

/** Takes every token of a name back; how many there were. */
export function revokeToken(folder: string, name: string): number {
  const all = readTokens(folder);
  const left = all.filter(one => one.name !== name);
  if (left.length < all.length) writeTokens(folder, left);
  return all.length - left.length;
}

/** The tokens of a hub that runs; their file is read again when it has changed. */
export interface TokenBook {
  /** Whose a token is; undefined where it is wrong or over. */
  find(token: string, now: number): KnownToken | undefined;
  /** Whether a machine still has a token that is good. */
  lets(pool: string, machine: string, now: number): boolean;
}

export function createTokenBook(folder: string): TokenBook {
  let known: readonly KnownToken[] = [];
  let stamp = "";
  /** Those that are good; as they were where their file is damaged now. */
  const good = (now: number): readonly KnownToken[] => {
    const facts = statSync(fileOf(folder), { throwIfNoEntry: false, bigint: true });
    const fresh = facts === undefined ? "" : `${facts.mtimeNs} ${facts.size} ${facts.ino}`;
    if (fresh !== stamp) {
      known = readTokens(folder);
      stamp = fresh;
    }
    return known.filter(one => one.expires > now);
  };
  return {
    find(token, now) {
      const hash = Buffer.from(hashOf(token), "hex");
      return good(now).find(one => timingSafeEqual(Buffer.from(one.hash.padEnd(64, "0"), "hex"), hash));
    },
    lets: (pool, machine, now) =>
      good(now).some(one => one.role === "machine" && one.pool === pool && one.name === machine),
  };
}
