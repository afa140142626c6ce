import type { Nothing } from "./call-refusal.ts";

/** What a hub answered, or why none did, by its code; `said` in its own words, which do where this version does not know the code. */
export interface HubSaid {
  /** Absent in what an earlier version wrote down. */
  readonly code?: string;
  readonly said: string;
  /** Where it was looked for, where nobody answered as a hub does. */
  readonly url?: string;
  /** Why nobody answered. */
  readonly how?: HubSilence;
  /** By which status of HTTP something else answered. */
  readonly status?: number;
}

/** `closed`: nothing listens there; `nowhere`: there is no such host; `cut`: in the middle; `silent`: not in time; `plain`: without TLS. */
export type HubSilence = "closed" | "nowhere" | "cut" | "silent" | "untrusted" | "plain" | "other";

/** Why a hub, a worker or whoever calls a hub does nothing, and what to do then. */
export interface HubRefusalArgs {
  readonly "listen-shape": { readonly text: string };
  readonly "cert-with-key": Nothing;
  readonly "pem-unreadable": { readonly said: string };
  readonly "plain-for-others": { readonly host: string };
  readonly "serve-https": Nothing;
  /** A folder for a hub or a worker, which the system does not make. */
  readonly "folder-unmade": { readonly path: string; readonly said: string };
  readonly "folder-elsewhere": Nothing;
  /** Another process serves what lies in a folder. */
  readonly "hub-runs": { readonly folder: string; readonly pid?: number };
  readonly "hub-runs-then": Nothing;
  readonly "room-or-rights": Nothing;
  /** What needs git, which is not on PATH. */
  readonly "needs-git": { readonly by: "hub" | "worker" };
  readonly "no-listening": { readonly at: string; readonly said: string };
  readonly "listen-elsewhere": Nothing;
  readonly "name-shape": { readonly of: string; readonly text: string };
  readonly "no-token-of": { readonly name: string };
  readonly "list-tokens": Nothing;
  readonly "tokens-unreadable": { readonly path: string; readonly said: string };
  readonly "renew-tokens": Nothing;
  readonly "tokens-unwritable": { readonly path: string; readonly said: string };
  readonly "no-engine": { readonly missing: readonly string[]; readonly folder: string };
  readonly "install-engine": { readonly missing: readonly string[] };
  /** Empty where the server has said nothing. */
  readonly "engine-not-started": { readonly said: string };

  readonly "no-label": { readonly label: string };
  readonly "label-shape": Nothing;
  readonly "no-agent-here": Nothing;
  readonly "see-agents": Nothing;
  /** `at`: its line and column; `korean`: what was said, in that language. */
  readonly "rules-refused": {
    readonly path: string;
    readonly at?: string;
    readonly said: string;
    readonly korean?: string;
  };
  readonly "rules-unreadable": { readonly path: string; readonly said: string };
  /** Absent where nothing closer is known. */
  readonly "rules-keys": {
    readonly hint?: string | undefined;
    readonly korean?: string | undefined;
  };

  readonly "hub-address": {
    readonly text: string;
    readonly why: "unreadable" | "scheme" | "plain" | "secret" | "path";
  };
  readonly "hub-address-like": { readonly why: "unreadable" | "scheme" | "plain" | "secret" | "path" };
  readonly "machine-token": Nothing;
  readonly "hub-refused": HubSaid;
  readonly "hub-refused-then": Pick<HubSaid, "code" | "how">;
}
