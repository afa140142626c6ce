import type { Context } from "hono";
import { DECODE_LIMITS } from "../delta/index.ts";
import { replyText } from "../engine/control/protocol.ts";
import type { Published } from "../host/api/types.ts";
import type { Monitor } from "../host/monitor/types.ts";
import { publishedOf, type Unpublished } from "../host/session/published.ts";
import { jsonOf } from "./door.ts";
import { MAX_DOCUMENT } from "./guard.ts";
import { refuse } from "./routes.ts";
import { MOST_TEXT } from "./shapes/limits.ts";
import { type PublishReply, PublishRequest } from "./shapes/publish.ts";
import { shown, shownBlock } from "./shown.ts";
import type { ServerWords } from "./words.ts";

/** Names that are told, and sections and characters of each side of a clash. */
const NAMES = 100;
const SECTIONS = 20;
const SIDE = 8 * 1024;

/** What came of it as the page shows it. */
function replyOf(published: Published): PublishReply {
  switch (published.kind) {
    case "unchanged":
      return published;
    case "published": {
      const names = (all: readonly string[]) => all.slice(0, NAMES).map(name => shown(name, 100));
      return { ...published, now: names(published.now), later: names(published.later) };
    }
    case "clash": {
      const sections = published.sections.slice(0, SECTIONS).map(({ section, theirs, yours }) => ({
        section: shown(section),
        theirs: shownBlock(theirs, SIDE),
        yours: shownBlock(yours, SIDE),
      }));
      return { ...published, sections };
    }
    default:
      return published satisfies never;
  }
}

/** Why a version is none, to the person who wrote it. */
function refusal(
  { label, text, base }: PublishRequest,
  { reason, message }: Unpublished,
  words: ServerWords,
): Response {
  switch (reason) {
    case "unknown-base":
      return refuse(409, words.notKept(`${label}-v${base ?? 0}`));
    case "not-unicode":
      return refuse(400, words.notUnicode);
    case "too-large":
      return refuse(413, words.tooLong(label, DECODE_LIMITS.document, text.length));
    case "name":
      return refuse(400, message);
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
  if (!wish.success) {
    const issue = wish.error.issues[0];
    if (issue?.code === "too_big" && issue.path[0] === "text") {
      const { label, text } = json.value as Readonly<Record<"label" | "text", string>>;
      return refuse(413, words.tooLong(shown(label, 100), MOST_TEXT, text.length));
    }
    return refuse(400, issue?.message ?? "unknown request");
  }
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
  const done = publishedOf(said);
  return done.kind === "refused" ? refusal(wish.data, done, words) : Response.json(replyOf(done));
}
