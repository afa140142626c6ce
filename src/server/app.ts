import { type Context, Hono } from "hono";
import { type ControlRequest, replyText } from "../engine/control/protocol.ts";
import type { Monitor } from "../host/monitor/types.ts";
import { type GuardOptions, guard, readBody } from "./guard.ts";
import type { Hub } from "./hub.ts";
import type { PageFile } from "./pages.ts";
import { answerWith, ROUTES, refuse } from "./routes.ts";
import { ActRequest } from "./shapes/action.ts";
import { shown } from "./shown.ts";
import { eventStream } from "./stream.ts";

/** Streams that may be open at once. */
const MAX_STREAMS = 24;

export interface AppOptions extends GuardOptions {
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

async function act(context: Context, { monitor, who }: AppOptions): Promise<Response> {
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
  const reply = await (data.kind === "go-on" ? monitor.goOn() : monitor.act(controlRequest(data, who)));
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
  const { monitor, hub, pages } = options;
  let streams = 0;
  const app = new Hono();
  app.use(guard(options));
  app.get("/api/run", () => Response.json(hub.snapshot()));
  for (const [path, route] of Object.entries(ROUTES))
    app.get(path, context => answerWith(route, context.req, monitor));
  app.post("/api/act", context => act(context, options));
  app.get("/api/stream", context => {
    if (streams >= MAX_STREAMS) return refuse(503, "too many pages are open");
    streams++;
    const wish = {
      task: context.req.query("task"),
      since: context.req.header("last-event-id"),
      signal: context.req.raw.signal,
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
