import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../ports/index.ts";

/** `owner` has the token of this start, `paired` entered a code, `viewer` followed a link that shows and does nothing. */
export type Role = "owner" | "paired" | "viewer";

/** Who asks. */
export interface Visitor {
  readonly role: Role;
  readonly id: string;
  /** As a person named the device or the link; foreign. */
  readonly name: string;
  /** Aborted when it is revoked or its time is over. */
  readonly over: AbortSignal;
}

/** What somebody was let in by, as the owner is shown it: no part of a secret. */
export interface Grant {
  readonly id: string;
  readonly kind: "device" | "link";
  readonly name: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly until: number;
}

export interface Code {
  readonly code: string;
  readonly until: number;
}

export type Paired =
  | { readonly ok: true; readonly token: string; readonly until: number }
  /** `closed`: too many wrong codes; nothing is compared for a while. */
  | { readonly ok: false; readonly why: "wrong" | "closed" };

/** Milliseconds. */
const CODE_LIFE = 10 * 60_000;
const DEVICE_LIFE = 12 * 3_600_000;
/** Wrong codes in a code's life after which none is compared until that is over, or the owner makes a new one. */
const MOST_WRONG = 10;
/** Devices and links at once. */
const MOST_GRANTS = 64;
/** No letter that is read as another one or as a number: 32 of them. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 8;

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** A code as it was meant, however it was typed. */
function meant(typed: string): string {
  return typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
}

/** Who is let in besides the owner, for as long as this process lives. */
export interface Access {
  /** Whose token it is; undefined for nobody's. */
  visitor(token: string): Visitor | undefined;
  /** A new code; the one before counts no more. */
  openCode(): Code;
  /** Trades a code for the token of a device. A code is good for one. */
  pair(typed: string, name: string): Paired;
  /** A link that shows and does nothing; undefined where there are too many. */
  share(name: string, lifeMs: number): { readonly token: string; readonly until: number } | undefined;
  grants(): readonly Grant[];
  revoke(id: string): boolean;
  close(): void;
}

interface Held extends Grant {
  readonly digest: Buffer;
  readonly control: AbortController;
  readonly forget: () => void;
}

/** `owner` is the token of this start. `told` hears what its person should know. */
export function createAccess(owner: string, clock: Clock, told: (news: "paired" | "closed") => void): Access {
  const ownDigest = digest(owner);
  const ownOver = new AbortController();
  const held = new Map<string, Held>();
  let open: { readonly digest: Buffer; readonly endsAt: number } | undefined;
  let wrong: number[] = [];

  const revoke = (id: string): boolean => {
    const found = held.get(id);
    if (found === undefined) return false;
    held.delete(id);
    found.forget();
    found.control.abort();
    return true;
  };

  const grant = (kind: Grant["kind"], name: string, lifeMs: number) => {
    if (held.size >= MOST_GRANTS) return undefined;
    const token = randomBytes(32).toString("base64url");
    const id = randomBytes(6).toString("hex");
    const since = clock.now();
    const until = since + lifeMs;
    const forget = clock.after(lifeMs, () => revoke(id));
    held.set(id, {
      id,
      kind,
      name,
      since,
      until,
      digest: digest(token),
      control: new AbortController(),
      forget,
    });
    return { token, until };
  };

  return {
    visitor(token) {
      const given = digest(token);
      // Everyone is compared with, whoever it is.
      let found: Visitor | undefined = timingSafeEqual(given, ownDigest)
        ? { role: "owner", id: "owner", name: "", over: ownOver.signal }
        : undefined;
      for (const { id, kind, name, digest: own, control } of held.values())
        if (timingSafeEqual(given, own))
          found = { role: kind === "link" ? "viewer" : "paired", id, name, over: control.signal };
      return found;
    },
    openCode() {
      // Whoever makes one wants it taken; each code is worth as few tries.
      wrong = [];
      const letters = Array.from(randomBytes(LENGTH), byte => LETTERS[byte & 31]).join("");
      open = { digest: digest(letters), endsAt: clock.monotonic() + CODE_LIFE };
      return { code: `${letters.slice(0, 4)}-${letters.slice(4)}`, until: clock.now() + CODE_LIFE };
    },
    pair(typed, name) {
      const now = clock.monotonic();
      wrong = wrong.filter(at => now - at < CODE_LIFE);
      if (wrong.length >= MOST_WRONG) return { ok: false, why: "closed" };
      const given = digest(meant(typed));
      const isRight = timingSafeEqual(given, open?.digest ?? digest(randomBytes(16).toString("hex")));
      const made =
        isRight && open !== undefined && now < open.endsAt ? grant("device", name, DEVICE_LIFE) : undefined;
      if (made !== undefined) {
        open = undefined;
        told("paired");
        return { ok: true, ...made };
      }
      wrong.push(now);
      if (wrong.length >= MOST_WRONG) {
        open = undefined;
        told("closed");
      }
      return { ok: false, why: "wrong" };
    },
    share: (name, lifeMs) => grant("link", name, lifeMs),
    grants: () =>
      [...held.values()].map(({ id, kind, name, since, until }) => ({ id, kind, name, since, until })),
    revoke,
    close() {
      for (const id of held.keys()) revoke(id);
      ownOver.abort();
    },
  };
}
