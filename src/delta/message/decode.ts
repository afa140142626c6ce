import { fail, ok, type Result } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import { diff } from "../diff.ts";
import { shortHash } from "../hash.ts";
import type { Delta, Hunk } from "../types.ts";
import { agree, asSent } from "./as-sent.ts";
import { baseOf } from "./base.ts";
import type { Unreadable } from "./carry-lines.ts";
import { applyEdits, hunksOf } from "./edits.ts";
import { type Header, readHeader } from "./header.ts";
import { type Impact, readImpact } from "./impact.ts";
import { operationsAt, type Part, partAt, splitBody } from "./parts.ts";
import { raised } from "./raised.ts";
import { readPieces } from "./read-pieces.ts";
import { seenBy } from "./throughout.ts";
import { unwrapped } from "./unwrapped.ts";
import { textOf } from "./view.ts";

/** An update message, read and carried out. */
export interface Update extends Impact {
  readonly label: string;
  readonly from: number | undefined;
  readonly to: number;
  readonly form: "delta" | "full";
  /** The new document. */
  readonly text: string;
  /** Its short hash. */
  readonly hash: string;
  /** From the base to the new document; undefined for a full message read without a base. */
  readonly delta: Delta | undefined;
  readonly items: number;
  /** Whether the message named the result's hash and the result has it. */
  readonly proven: boolean;
}

/** Why a message was not carried out; nothing of it was. */
export interface DecodeFailure {
  /**
   * `not-an-update`; `limit`: too large; `prose`: the older form, which only describes; `no-base`: a delta without the
   * document it is for; `base`: it is for another document; `syntax`, `unresolved`: an operation that cannot be read or
   * found; `needs-section`: a section's new text is missing; `claimed-twice`: operations overlap; `result`: the outcome
   * is not what the message names: it was cut off, edited or forged.
   */
  readonly kind:
    | "not-an-update"
    | "limit"
    | "prose"
    | "no-base"
    | "base"
    | "syntax"
    | "unresolved"
    | "needs-section"
    | "claimed-twice"
    | "result";
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
  /** The operation that could not be carried out, safe to show. */
  readonly operation?: string;
  /** For `claimed-twice`: the line of the base, from 1. */
  readonly line?: number;
  /** For `needs-section`: its title. */
  readonly section?: string;
  /** Versions the message names, as far as it could be read. */
  readonly header?: Header;
}

/** Limits on foreign input; all in UTF-16 units or counts. */
export interface DecodeLimits {
  readonly message: number;
  readonly document: number;
  readonly items: number;
}

/** Far beyond any real context document, and still decoded within seconds; a message has room for the largest document. */
export const DECODE_LIMITS: DecodeLimits = { message: 33_000_000, document: 32_000_000, items: 50_000 };

/** Characters of a foreign line that a refusal shows. */
const LONGEST_SHOWN = 120;

/** Carries an update message out on a document, whole or not at all; who knows the document's short hash spares hashing it again. */
export function decode(
  arrived: string,
  base: string | undefined,
  limits: DecodeLimits = DECODE_LIMITS,
  baseHash?: string,
): Result<Update, DecodeFailure> {
  if (arrived.length > limits.message) return tooLarge("message", arrived.length, limits.message);
  const text = unwrapped(arrived);
  if (base !== undefined && base.length > limits.document)
    return tooLarge("document", base.length, limits.document);
  const start = text.search(/\S/);
  const end = text.indexOf("\n", start);
  const header = readHeader(text.slice(Math.max(start, 0), end < 0 ? text.length : end).trimEnd());
  if (header === undefined) return fail({ kind: "not-an-update", message: "No [CONTEXT-UPDATE] header" });
  if (header.prose !== undefined) {
    return fail({
      kind: "prose",
      message: "The update only describes what changed; the text is needed",
      header,
    });
  }
  const rest = end < 0 ? "" : text.slice(end + 1);
  const full = partAt(rest, "## Full");
  const body = operationsAt(rest);
  if (full !== undefined && (body === undefined || full.heading < body.heading))
    return readFull(header, rest, full, base);
  if (body === undefined) return fail({ kind: "syntax", message: "Neither ## Delta nor ## Full", header });
  return readDelta(header, rest.slice(body.start), base, limits, baseHash);
}

function tooLarge(what: string, found: number, limit: number): Result<never, DecodeFailure> {
  const message = `The ${what} has ${found} characters, the limit is ${limit}`;
  return fail({ kind: "limit", message, expected: String(limit), found: String(found) });
}

function readDelta(
  header: Header,
  body: string,
  base: string | undefined,
  limits: DecodeLimits,
  baseHash: string | undefined,
): Result<Update, DecodeFailure> {
  if (base === undefined)
    return fail({ kind: "no-base", message: "A delta needs the document it is for", header });
  const hash = baseHash ?? shortHash(base);
  if (header.base !== undefined && !agree(hash, header.base)) {
    const message = `The update is for ${header.base}, this document is ${hash}`;
    return fail({ kind: "base", message, expected: header.base, found: hash, header });
  }
  const { operations, impact } = splitBody(body);
  const risen = raised(base, header.label, header.from, header.to);
  const seen = seenBy(risen, operations);
  if ("kind" in seen) return unread(seen, header);
  const indexed = baseOf(seen.text);
  const read = readPieces(indexed, seen.operations, limits.items);
  if ("kind" in read) return unread(read, header);
  const { view } = indexed;
  const lines = applyEdits(view, read.edits);
  if ("claimedTwice" in lines) {
    return fail({
      kind: "claimed-twice",
      message: `Two operations claim line ${lines.claimedTwice + 1}`,
      line: lines.claimedTwice + 1,
      header,
    });
  }
  const newline = header.newline ?? view.newline;
  // The edits are the whole difference where lines are seen as they stand: no `\r` set aside, no version raised, no word changed throughout.
  const bare = seen.text === base && view.newline === "\n" && newline === "\n";
  const hunks = bare ? () => hunksOf(view, read.edits) : undefined;
  const text = textOf(lines, newline);
  const items = seen.items + read.items;
  return finish(header, base, { text, form: "delta", items, ...impact }, { hash, hunks });
}

function unread(found: Unreadable, header: Header): Result<Update, DecodeFailure> {
  const section = found.section === undefined ? {} : { section: found.section };
  const operation = visible(found.operation, LONGEST_SHOWN);
  const reason = visible(found.reason, LONGEST_SHOWN);
  return fail({ kind: found.kind, message: `${reason}: ${operation}`, operation, header, ...section });
}

function readFull(
  header: Header,
  rest: string,
  part: Part,
  base: string | undefined,
): Result<Update, DecodeFailure> {
  const written = rest.slice(part.start);
  const impact = readImpact(rest.slice(0, part.heading).split("\n"));
  const text = asSent(written, header);
  return finish(header, base, { text, form: "full", items: 0, ...impact });
}

/** Carries what has been found out already, so that the difference need not be searched for. */
interface Known {
  readonly hash: string;
  readonly hunks: (() => Hunk[]) | undefined;
}

function finish(
  header: Header,
  base: string | undefined,
  read: Pick<Update, "text" | "form" | "items" | keyof Impact>,
  known?: Known,
): Result<Update, DecodeFailure> {
  const found = shortHash(read.text);
  const expected = header.result;
  if (expected !== undefined && !agree(found, expected)) {
    const message = `The update leads to ${found}, not to the ${expected} it names: it was cut off or changed on the way`;
    return fail({ kind: "result", message, expected, found, header });
  }
  const { label, from, to } = header;
  let delta: Delta | undefined;
  return ok({
    label,
    from,
    to,
    ...read,
    hash: found,
    // Worked out when asked for: who only wants the text does not pay for it.
    get delta() {
      if (known?.hunks !== undefined) delta ??= { base: known.hash, result: found, hunks: known.hunks() };
      else if (base !== undefined) delta ??= diff(base, read.text);
      return delta;
    },
    proven: expected !== undefined,
  });
}
