import { createHash } from "node:crypto";

/** SHA-256 of a task's text, in hex. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
