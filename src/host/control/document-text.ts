import type { ContextReply, SharedContext } from "../../context/shared/index.ts";
import type { ControlReply } from "../../engine/control/protocol.ts";
import { createCodec } from "../../sync/index.ts";
import { type Locale, nearest, thereAre, told, visible } from "../../text/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { refusalText } from "./refusal.ts";

/** Labels that are listed. */
const MOST_LISTED = 500;

/** Shared documents with their versions, one line. */
export function listText(shared: SharedContext, labels: readonly string[]): string {
  const named = labels.slice(0, MOST_LISTED).map(label => `${label}-v${versionOf(shared, label) ?? 0}`);
  const more = labels.length - named.length;
  if (named.length === 0) return "NONE";
  return `${named.join(", ")}${more > 0 ? ` +${more}` : ""}`;
}

/** A document, whole, under a line that names its version and hash. */
export function documentText(
  shared: SharedContext,
  label: string,
  version: number | undefined,
  locale: Locale = "en",
): ControlReply {
  const found = shared.text(label, version);
  if (!found.ok) return { ok: false, message: `STATE: ${found.failure.kind}` };
  if (found.value === undefined) return { ok: false, message: unknown(shared, label, version, locale) };
  const { version: number, hash, text } = found.value;
  return { ok: true, message: `${label}-v${number} ${hash}\n${text}` };
}

/** What leads from a version that is held to the newest one; the whole document where that does not hold. */
export function updateText(
  shared: SharedContext,
  label: string,
  since: number | undefined,
  hash: string | undefined,
  locale: Locale = "en",
): ControlReply {
  const current = shared.text(label);
  if (!current.ok) return { ok: false, message: `STATE: ${current.failure.kind}` };
  if (current.value === undefined) return { ok: false, message: unknown(shared, label, undefined, locale) };
  const held = since === undefined ? undefined : shared.text(label, since);
  const base = held?.ok === true ? held.value : undefined;
  const isProven = base !== undefined && (hash === undefined || base.hash.startsWith(hash));
  if (!isProven) return documentText(shared, label, undefined, locale);
  if (base.version === current.value.version)
    return { ok: true, message: `UP_TO_DATE ${label}-v${base.version}` };
  const encoded = createCodec(countTokens).encode(base.text, current.value.text, {
    label,
    from: base.version,
    to: current.value.version,
    majorRestructure: 1,
  });
  return encoded.ok
    ? { ok: true, message: encoded.value.text }
    : documentText(shared, label, undefined, locale);
}

/** What a teammate is to read now. */
export function pulledText(label: string, reply: ContextReply, locale: Locale = "en"): ControlReply {
  if (reply.kind !== "done") return { ok: false, message: why(reply, locale) };
  const { message } = reply;
  if (message === undefined) return { ok: true, message: `UP_TO_DATE ${label}` };
  return { ok: true, message: message.text };
}

/** What became of an acknowledgement, in one line. */
export function ackText(reply: ContextReply, locale: Locale = "en"): ControlReply {
  if (reply.kind !== "done") return { ok: false, message: why(reply, locale) };
  const events = reply.events.map(({ label, event }) => `${event.type} ${label}`);
  return { ok: true, message: [...new Set(events)].join(", ") || "NOTED" };
}

function why(reply: Exclude<ContextReply, { kind: "done" }>, locale: Locale): string {
  switch (reply.kind) {
    case "unknown-label":
      return refusalText(
        "NO_SUCH_LABEL",
        told`${visible(reply.label, 80)}; ${thereAre(reply.label, reply.known)}`,
        locale,
      );
    case "unknown-teammate":
      return `NO_SUCH_TEAMMATE: ${visible(reply.teammate, 80)}`;
    case "whose":
      return `WHOSE_ACK: ${reply.candidates.slice(0, 20).join(", ")}`;
    case "no-words":
      return refusalText("NO_ACK", told`an acknowledgement begins with [ACK-UPDATE] LABEL-v2`, locale);
    case "bad-label":
      return `BAD_LABEL: ${visible(reply.message, 200)}`;
    case "store":
      return `STATE: ${visible(reply.message, 200)}`;
    case "closed":
      return refusalText("CLOSED", told`the process that runs this project is leaving`, locale);
    default:
      throw new Error(`unknown reply ${JSON.stringify(reply satisfies never)}`);
  }
}

function versionOf(shared: SharedContext, label: string): number | undefined {
  const lead = shared.lead(label);
  return lead.ok ? lead.value?.versions.at(-1)?.number : undefined;
}

function unknown(shared: SharedContext, label: string, version: number | undefined, locale: Locale): string {
  const labels = shared.labels();
  const known = labels.ok ? labels.value : [];
  if (known.includes(label))
    return refusalText(
      "NO_SUCH_VERSION",
      told`${visible(label, 80)} has no version ${version} that is kept`,
      locale,
    );
  const guess = nearest(label, known);
  const hint = guess === undefined ? thereAre(label, known) : told`did you mean ${guess}?`;
  return refusalText("NO_SUCH_LABEL", told`${visible(label, 80)}; ${hint}`, locale);
}
