import type { Context } from "hono";
import type { Access, Visitor } from "./access.ts";
import { readBody } from "./guard.ts";
import { refuse } from "./routes.ts";
import { AccessRequest, type AccessShape, PairRequest } from "./shapes/access.ts";
import { shown } from "./shown.ts";

const HOUR = 3_600_000;

async function jsonOf(request: Request): Promise<unknown> {
  const body = await readBody(request);
  if (body === undefined) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Lets a device in that knows the code. All that is wrong with one is told in the same words. */
export async function pair(context: Context, access: Access): Promise<Response> {
  const wish = PairRequest.safeParse(await jsonOf(context.req.raw));
  if (!wish.success) return refuse(400, "send a code");
  const paired = access.pair(wish.data.code, shown(wish.data.name, 40));
  if (paired.ok) return Response.json({ token: paired.token, until: paired.until });
  return paired.why === "closed"
    ? refuse(429, "too many wrong codes: no code is taken for ten minutes")
    : refuse(401, "this code is wrong, used or too old");
}

/** Who asks, and for the owner who else is let in. */
export function accessShape(access: Access, { role }: Visitor, origin: string): AccessShape {
  return { role, origin, grants: role === "owner" ? access.grants() : [] };
}

/** Lets somebody in or out. Only the owner decides about others. */
export async function changeAccess(
  context: Context,
  access: Access,
  visitor: Visitor,
  origin: string,
): Promise<Response> {
  const wish = AccessRequest.safeParse(await jsonOf(context.req.raw));
  if (!wish.success) return refuse(400, wish.error.issues[0]?.message ?? "unknown request");
  const { data } = wish;
  if (data.kind === "leave") {
    access.revoke(visitor.id);
    return Response.json({});
  }
  if (visitor.role !== "owner") return refuse(403, "only who opened the dashboard lets others in or out");
  if (data.kind === "code") return Response.json(access.openCode());
  if (data.kind === "revoke")
    return access.revoke(data.id) ? Response.json({}) : refuse(404, "nobody is let in by that");
  const made = access.share(shown(data.name, 40), data.hours * HOUR);
  if (made === undefined) return refuse(409, "too many are let in: revoke one first");
  return Response.json({ link: `${origin}/#view=${made.token}`, until: made.until });
}
