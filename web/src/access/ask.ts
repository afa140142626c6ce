import type {
  AccessReply,
  AccessRequest,
  AccessShape,
  PairReply,
} from "../../../src/server/shapes/access.ts";
import { ask } from "../state/api.ts";
import { forgetDrafts } from "../state/drafts.ts";
import { startOver } from "../state/stream.ts";
import { forgetToken, keepToken } from "../state/token.ts";

const JSON_TYPE = { "content-type": "application/json" };

interface Failed {
  readonly error?: string;
}

/** Trades a code for a token of this device; why not, where it is not taken. */
export async function enter(code: string, name: string): Promise<string | undefined> {
  const body = JSON.stringify({ code, name });
  const response = await ask("/api/pair", { method: "POST", headers: JSON_TYPE, body });
  const reply = (await response.json()) as PairReply & Failed;
  if (!response.ok) return reply.error ?? response.statusText;
  keepToken(reply.token);
  startOver();
  return undefined;
}

/** Who looks at this page, and for the owner who else is let in; undefined where nobody answers. */
export async function readAccess(): Promise<AccessShape | undefined> {
  const response = await ask("/api/access");
  return response.ok ? ((await response.json()) as AccessShape) : undefined;
}

/** Lets somebody in or out. */
export async function changeAccess(request: AccessRequest): Promise<AccessReply & Failed> {
  const response = await ask("/api/access", {
    method: "POST",
    headers: JSON_TYPE,
    body: JSON.stringify(request),
  });
  return (await response.json()) as AccessReply & Failed;
}

/** This device is let in no more. */
export async function leave(): Promise<void> {
  await changeAccess({ kind: "leave" });
  forgetToken();
  forgetDrafts();
  location.reload();
}
