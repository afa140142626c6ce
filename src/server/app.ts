import { type Context, Hono } from "hono";
import { type ControlRequest, replyText } from "../engine/control/protocol.ts";
import type { Monitor } from "../host/monitor/types.ts";
import type { Access, Visitor } from "./access.ts";
import { accessShape, changeAccess, pair } from "./door.ts";
import { type GuardOptions, guard, readBody, visitorOf } from "./guard.ts";
import type { Hub } from "./hub.ts";
import type { PageFile } from "./pages.ts";
import { answerWith, ROUTES, refuse } from "./routes.ts";
import { ActRequest } from "./shapes/action.ts";
import { shown } from "./shown.ts";
import { eventStream } from "./stream.ts";

/** Streams that may be open at once. */
const MAX_STREAMS = 24;

export interface AppOptions extends Omit<GuardOptions, "visitor"> {
  readonly access: Access;
  /** Where others open the page. */
  readonly origin: () => string;
  readonly monitor: Monitor;
  readonly hub: Hub;
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

async function act(context: Context, { monitor, who }: AppOptions, visitor: Visitor): Promise<Response> {
  const body = await readBody(context.req.raw);
  if (body === undefined) return refuse(413, "too large");
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return refuse(400, "not JSON");
  }
  const wish = ActRequest.safeParse(json);
  if (!wish.success) return refuse(400, wish.error.issues[0]?.message ?? "unknown request");
  const { data } = wish;
  const reply = await (data.kind === "go-on"
    ? monitor.goOn()
    : monitor.act(controlRequest(data, actor(who, visitor))));
  if (reply === undefined) return refuse(409, "no process runs this project: go on with the run first");
  return Response.json({ ok: reply.ok, message: shown(replyText(reply, monitor.locale), 1_000) });
}

function pageOf(pages: AppOptions["pages"], path: string): Response {
  const file = pages.get(path);
  if (file !== undefined) return new Response(file.bytes, { headers: { "content-type": file.type } });
  return refuse(404, pages.size === 0 ? "the page was not built: npm run build" : "no such page");
}

/** The server as a function from request to answer. */
export function createApp(options: AppOptions): Hono {
  const { monitor, hub, pages, access, origin } = options;
  let streams = 0;
  const app = new Hono();
  const seen = { ...options, visitor: (token: string) => access.visitor(token) };
  app.use(guard(seen));
  /** Who was let in: asked for anew, since the guard let nobody else through. */
  const visitor = (context: Context) => visitorOf(context.req.header("authorization"), seen)!;
  app.post("/api/pair", context => pair(context, access));
  app.get("/api/access", context => Response.json(accessShape(access, visitor(context), origin())));
  app.post("/api/access", context => changeAccess(context, access, visitor(context), origin()));
  app.get("/api/run", () => Response.json(hub.snapshot()));
  for (const [path, route] of Object.entries(ROUTES))
    app.get(path, context => answerWith(route, context.req, monitor));
  app.post("/api/act", context => act(context, options, visitor(context)));
  app.get("/api/stream", context => {
    if (streams >= MAX_STREAMS) return refuse(503, "too many pages are open");
    streams++;
    const { role, over } = visitor(context);
    const wish = {
      task: context.req.query("task"),
      since: context.req.header("last-event-id"),
      signal: AbortSignal.any([context.req.raw.signal, over]),
      mayAnswer: role !== "viewer",
    };
    return eventStream(hub, wish, () => {
      streams--;
    });
  });
  app.get("/api/*", () => refuse(404, "no such thing"));
  app.get("*", context => pageOf(pages, context.req.path));
  app.onError(() => refuse(500, "a bug: this should not have happened"));
  return app;
}
