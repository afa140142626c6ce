import { fail, type Notifier } from "../../ports/index.ts";
import { type Locale, noticeText } from "../../text/index.ts";
import { type PostOptions, postJson, readAddress } from "./post.ts";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

export interface WebhookOptions extends PostOptions {
  readonly url: string;
  readonly locale: Locale;
}

/** Tells any address a person has approved: the notice as JSON, with the text people read. */
export function createWebhookNotifier({ url, locale, ...options }: WebhookOptions): Notifier {
  const address = readAddress(
    url,
    ({ protocol, hostname }) => protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname)),
  );
  return {
    portVersion: 1,
    name: "webhook",
    async notify(notice) {
      if (!address.ok) return fail(`notify.webhook: ${address.failure}`);
      return postJson(address.value, { version: 1, ...notice, text: noticeText(notice, locale) }, options);
    },
  };
}
