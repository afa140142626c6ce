import { shortHash } from "../delta/index.ts";
import { stampVersion } from "./stamp.ts";
import type { Lead, Version } from "./state.ts";

/** A text as its version would stand in it. */
export function numbered({ policy }: Pick<Lead, "policy">, text: string, number: number): string {
  return policy.stampVersion ? stampVersion(text, number) : text;
}

/** The version that a publisher wrote last; a file is one whoever reads it (`docs/a.md`, `file docs/a.md`). */
export function lastBy({ versions }: Pick<Lead, "versions">, publisher: string): Version | undefined {
  const name = named(publisher);
  return name === "" ? undefined : versions.findLast(({ by }) => named(by) === name);
}

/** Whether a publisher's text is still what it wrote last: there is nothing new to publish, whatever others wrote since. */
export function isAsBefore(
  lead: Pick<Lead, "versions" | "policy">,
  publisher: string,
  text: string,
): boolean {
  const last = lastBy(lead, publisher);
  if (last === undefined) return false;
  const { number, edited, hash } = last;
  return edited === undefined ? shortHash(numbered(lead, text, number)) === hash : edited === text;
}

function named(by: string): string {
  return by.startsWith("file ") ? by.slice("file ".length) : by;
}
