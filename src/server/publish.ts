import type { Context } from "hono";
import type { ContextReply } from "../context/shared/index.ts";
import { replyText } from "../engine/control/protocol.ts";
import type { Monitor } from "../host/monitor/types.ts";
import type { SyncEvent } from "../sync/index.ts";
import { jsonOf } from "./door.ts";
import { MAX_DOCUMENT } from "./guard.ts";
import { refuse } from "./routes.ts";
import { type PublishReply, PublishRequest } from "./shapes/publish.ts";
import { shown, shownBlock } from "./shown.ts";
import type { ServerWords } from "./words.ts";

/** Names that are told, and sections and characters of each side of a clash. */
const NAMES = 100;
const SECTIONS = 20;
const SIDE = 8 * 1024;

type Refused = Extract<SyncEvent, { type: "refused" }>;
type Event<Type extends SyncEvent["type"]> = Extract<SyncEvent, { type: Type }>;

/** What became of a version, where it was not refused for what it is. */
function replyOf(label: string, reply: Extract<ContextReply, { kind: "done" }>): PublishReply | Refused {
  const find = <Type extends SyncEvent["type"]>(type: Type) =>
    reply.events.find(({ event }) => event.type === type)?.event as Event<Type> | undefined;
  const unchanged = find("unchanged");
  if (unchanged !== undefined) return { kind: "unchanged", version: unchanged.version };
  const published = find("published");
  if (published !== undefined) {
    const { version, mergedFrom, now, later } = published;
    const names = (all: readonly string[]) => all.slice(0, NAMES).map(name => shown(name, 100));
    const merged = mergedFrom === undefined ? {} : { mergedFrom };
    return { kind: "published", version, ...merged, now: names(now), later: names(later) };
  }
  const refused = find("refused");
  if (refused === undefined) throw new Error(`nothing came of publishing ${label}`);
  const { reason, current, clashes } = refused;
  if (reason !== "same-section" || current === undefined) return refused;
  const side = (text: string) => shownBlock(text, SIDE);
  const sections = clashes.slice(0, SECTIONS).map(clash => ({
    section: shown(clash.section),
    theirs: side(clash.current),
    yours: side(clash.published),
  }));
  return { kind: "clash", current, sections };
}

/** Why a version is none, to the person who wrote it. */
function refusal(
  { label, base }: PublishRequest,
  { reason, message }: Refused,
  words: ServerWords,
): Response {
  switch (reason) {
    case "unknown-base":
      return refuse(409, words.notKept(`${label}-v${base ?? 0}`));
    case "not-unicode":
      return refuse(400, words.notUnicode);
    case "too-large":
      return refuse(413, words.tooLarge);
    case "name":
      return refuse(400, message);
    case "same-section":
      throw new Error("two changes of one section are no refusal");
    default:
      return reason satisfies never;
  }
}

/** Whether a document has a version. */
function isThere(monitor: Monitor, label: string): boolean {
  const stored = monitor.ask(store => store.context.load());
  return stored.ok && stored.value?.versions.some(version => version.label === label) === true;
}

/** Publishes what a person wrote on the page, by the way and with the checks of `espalier context publish`. */
export async function publish(
  context: Context,
  monitor: Monitor,
  by: string,
  words: ServerWords,
): Promise<Response> {
  const json = await jsonOf(context.req.raw, words, MAX_DOCUMENT);
  if (!json.ok) return json.failure;
  const wish = PublishRequest.safeParse(json.value);
  if (!wish.success) return refuse(400, wish.error.issues[0]?.message ?? "unknown request");
  const { label, text, base } = wish.data;
  // Who begins a document has not read the one that is there.
  if (base === undefined && isThere(monitor, label)) return refuse(409, words.isThere(label));
  const edited = base === undefined ? {} : { base };
  const command = { op: "publish" as const, label, text, by, ...edited };
  const reply = await monitor.act({ method: "context", command });
  if (reply === undefined) return refuse(409, words.nobodyRuns);
  if (!reply.ok || reply.context === undefined) return refuse(409, replyText(reply, monitor.locale));
  const { context: said } = reply;
  if (said.kind === "bad-label") return refuse(400, words.badLabel);
  if (said.kind === "store") return refuse(503, said.message);
  if (said.kind !== "done") return refuse(409, words.nobodyRuns);
  const done = replyOf(label, said);
  return "kind" in done ? Response.json(done) : refusal(wish.data, done, words);
}
