import { because, fail, type Notifier } from "../../ports/index.ts";
import { type Locale, noticeJson, noticeText } from "../../text/index.ts";
import { type PostOptions, postJson, readAddress } from "./post.ts";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);
/** What may stand in a header after `Bearer `. */
const TOKEN = /^[\w\-.~+/=:]{1,4000}$/;

export interface WebhookOptions extends PostOptions {
  readonly url: string;
  /** What the address asks for, sent as a bearer token. */
  readonly token?: string | undefined;
  readonly locale: Locale;
}

/** Tells any address a person has approved: the message as JSON, with the text people read. */
export function createWebhookNotifier({ url, token, locale, ...options }: WebhookOptions): Notifier {
  const address = readAddress(
    url,
    "notify.webhook",
    ({ protocol, hostname }) => protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname)),
  );
  return {
    portVersion: 2,
    name: "webhook",
    async notify(message, over) {
      if (!address.ok) return address;
      if (token !== undefined && !TOKEN.test(token))
        return fail(because("notice-failed", { at: "notify.tokenEnv", why: "no-token" }));
      const body = { ...noticeJson(message), text: noticeText(message, locale) };
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return postJson(address.value, body, { ...options, headers, over });
    },
  };
}
