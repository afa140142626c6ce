import type { Context } from "hono";
import { fail, ok, type Result } from "../ports/index.ts";
import type { Access, Visitor } from "./access.ts";
import { MAX_BODY, readBody } from "./guard.ts";
import { refuse } from "./routes.ts";
import { AccessRequest, type AccessShape, PairRequest } from "./shapes/access.ts";
import { shown } from "./shown.ts";
import type { ServerWords } from "./words.ts";

const HOUR = 3_600_000;

/** What a body of at most so many bytes says, as JSON; the refusal where it is too large, or none. */
export async function jsonOf(
  request: Request,
  words: ServerWords,
  max: number = MAX_BODY,
): Promise<Result<unknown, Response>> {
  const body = await readBody(request, max);
  if (body === undefined) return fail(refuse(413, words.tooLarge(max)));
  try {
    return ok(JSON.parse(body));
  } catch {
    return fail(refuse(400, words.notJson));
  }
}

/** Lets a device in that knows the code. All that is wrong with one is told in the same words. */
export async function pair(context: Context, access: Access, words: ServerWords): Promise<Response> {
  const json = await jsonOf(context.req.raw, words);
  if (!json.ok) return json.failure;
  const wish = PairRequest.safeParse(json.value);
  if (!wish.success) return refuse(400, words.noCode);
  const paired = access.pair(wish.data.code, shown(wish.data.name, 40));
  if (paired.ok) return Response.json({ token: paired.token, until: paired.until });
  return paired.why === "closed" ? refuse(429, words.noMoreCodes) : refuse(401, words.wrongCode);
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
  words: ServerWords,
): Promise<Response> {
  const json = await jsonOf(context.req.raw, words);
  if (!json.ok) return json.failure;
  const wish = AccessRequest.safeParse(json.value);
  if (!wish.success) return refuse(400, wish.error.issues[0]?.message ?? "unknown request");
  const { data } = wish;
  if (data.kind === "leave") {
    access.revoke(visitor.id);
    return Response.json({});
  }
  if (visitor.role !== "owner") return refuse(403, words.onlyOwner);
  if (data.kind === "code") return Response.json(access.openCode());
  if (data.kind === "revoke")
    return access.revoke(data.id) ? Response.json({}) : refuse(404, words.nobodyLetIn);
  const made = access.share(shown(data.name, 40), data.hours * HOUR);
  if (made === undefined) return refuse(409, words.tooManyLetIn);
  return Response.json({ link: `${origin}/#view=${made.token}`, until: made.until });
}
