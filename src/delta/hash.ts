import { createHash } from "node:crypto";

/** Hexadecimal digits of a short hash. */
export const SHORT_HASH = 12;

/** The short hash of a document: the first 12 hexadecimal digits of the SHA-256 of its UTF-8 bytes. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex").slice(0, SHORT_HASH);
}
