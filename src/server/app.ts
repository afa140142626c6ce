import { type Context, Hono } from "hono";
import { type ControlRequest, replyText } from "../engine/control/protocol.ts";
import type { Monitor } from "../host/monitor/types.ts";
import type { Locale } from "../text/index.ts";
import type { Access, Visitor } from "./access.ts";
import { accessShape, changeAccess, jsonOf, pair } from "./door.ts";
import { type GuardOptions, guard, visitorOf } from "./guard.ts";
import type { Hub } from "./hub.ts";
import type { PageFile } from "./pages.ts";
import { publish } from "./publish.ts";
import { answerWith, ROUTES, refuse } from "./routes.ts";
import { ActRequest } from "./shapes/action.ts";
import { shown } from "./shown.ts";
import { eventStream } from "./stream.ts";
import { type ServerWords, serverWords, spokenTo } from "./words.ts";

/** Streams that may be open at once, and those of links that only show: they keep nobody else out. */
const MAX_STREAMS = 24;
const MAX_VIEWERS = 12;

export interface AppOptions extends Omit<GuardOptions, "visitor" | "words"> {
  readonly access: Access;
  /** Where others open the page. */
  readonly origin: () => string;
  readonly monitor: Monitor;
  /** What pages of a language hear. */
  readonly hub: (locale: Locale) => Hub;
  readonly pages: ReadonlyMap<string, PageFile>;
  /** Who acts from the page, as events name them. */
  readonly who: string;
}

/** A page's wish as the process that runs understands it. */
function controlRequest(wish: Exclude<ActRequest, { kind: "go-on" }>, by: string): ControlRequest {
  switch (wish.kind) {
    case "task":
      return { method: "act", action: wish.action, task: wish.task, note: wish.note, by };
    case "tell":
      return { method: "tell", task: wish.task, text: wish.text, by };
    case "force-phase":
      return { method: "force-phase", phase: wish.phase, by };
    case "merge":
      return { method: "merge", by, ...(wish.phase === undefined ? {} : { phase: wish.phase }) };
    case "hold":
      return { method: "hold", held: wish.held, by };
    case "permit":
      return { method: "permit", id: wish.id, allowed: wish.allowed, by };
    case "revert":
      return { method: "revert", task: wish.task, attempt: wish.attempt };
    case "checkpoint":
      return { method: "checkpoint", shift: false, ...(wish.why === undefined ? {} : { why: wish.why }) };
    case "stop":
      return { method: "stop", how: wish.how, by };
    default:
      return wish satisfies never;
  }
}

/** Who acts, as events name them: the person who started the dashboard, on which of their devices. */
function actor(who: string, { role, name }: Visitor): string {
  return role === "owner" ? who : `${who}, ${name === "" ? "paired device" : name}`;
}

async function act(context: Context, monitor: Monitor, by: string, words: ServerWords): Promise<Response> {
  const json = await jsonOf(context.req.raw, words);
  if (!json.ok) return json.failure;
  const wish = ActRequest.safeParse(json.value);
  if (!wish.success) return refuse(400, wish.error.issues[0]?.message ?? "unknown request");
  const { data } = wish;
  const reply = await (data.kind === "go-on" ? monitor.goOn() : monitor.act(controlRequest(data, by)));
  if (reply === undefined) return refuse(409, words.nobodyRuns);
  return Response.json({ ok: reply.ok, message: shown(replyText(reply, monitor.locale), 1_000) });
}

function pageOf(pages: AppOptions["pages"], path: string, words: ServerWords): Response {
  const file = pages.get(path);
  if (file !== undefined) return new Response(file.bytes, { headers: { "content-type": file.type } });
  return refuse(404, pages.size === 0 ? words.notBuilt : words.noPage);
}

/** The server as a function from request to answer. */
export function createApp(options: AppOptions): Hono {
  const { hub, pages, access, origin, who } = options;
  const streams = { all: 0, viewers: 0 };
  const app = new Hono();
  const seen: GuardOptions = {
    ...options,
    visitor: token => access.visitor(token),
    words: header => serverWords(spokenTo(header, options.monitor)),
  };
  app.use(guard(seen));
  /** Who was let in: asked for anew, since the guard let nobody else through. */
  const visitor = (context: Context) => visitorOf(context.req.header("authorization"), seen)!;
  const localeOf = (context: Context) => spokenTo(name => context.req.header(name), options.monitor);
  const wordsOf = (context: Context) => serverWords(localeOf(context));
  /** The project, in the language of who asks. */
  const monitorOf = (context: Context) => ({ ...options.monitor, locale: localeOf(context) });
  app.post("/api/pair", context => pair(context, access, wordsOf(context)));
  app.get("/api/access", context => Response.json(accessShape(access, visitor(context), origin())));
  app.post("/api/access", context =>
    changeAccess(context, access, visitor(context), origin(), wordsOf(context)),
  );
  app.get("/api/run", context => Response.json(hub(localeOf(context)).snapshot()));
  for (const [path, route] of Object.entries(ROUTES))
    app.get(path, context => answerWith(route, context.req, monitorOf(context)));
  app.post("/api/act", context =>
    act(context, monitorOf(context), actor(who, visitor(context)), wordsOf(context)),
  );
  app.post("/api/publish", context =>
    publish(context, monitorOf(context), actor(who, visitor(context)), wordsOf(context)),
  );
  app.get("/api/stream", context => {
    // Nobody would read it, or ever close it.
    if (context.req.method === "HEAD") return context.body(null);
    const { role, over } = visitor(context);
    const viewers = role === "viewer" ? 1 : 0;
    if (streams.all >= MAX_STREAMS || streams.viewers + viewers > MAX_VIEWERS)
      return refuse(503, wordsOf(context).tooManyPages);
    streams.all++;
    streams.viewers += viewers;
    const wish = {
      task: context.req.query("task"),
      since: context.req.header("last-event-id"),
      signal: AbortSignal.any([context.req.raw.signal, over]),
      mayAnswer: role !== "viewer",
    };
    return eventStream(hub(localeOf(context)), wish, () => {
      streams.all--;
      streams.viewers -= viewers;
    });
  });
  app.get("/api/*", context => refuse(404, wordsOf(context).noSuchThing));
  app.get("*", context => pageOf(pages, context.req.path, wordsOf(context)));
  app.onError((_error, context) => refuse(500, wordsOf(context).aBug));
  return app;
}
