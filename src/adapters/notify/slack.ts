import type { Notifier } from "../../ports/index.ts";
import { type Locale, noticeText } from "../../text/index.ts";
import { type PostOptions, postJson, readAddress } from "./post.ts";

/** The only hosts that Slack's incoming webhooks have. */
const HOSTS: ReadonlySet<string> = new Set(["hooks.slack.com", "hooks.slack-gov.com"]);

/** Slack's three control characters: without them no text can mention or link. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export interface SlackOptions extends PostOptions {
  /** The secret address of the webhook. */
  readonly url: string;
  readonly locale: Locale;
}

/** Tells a Slack channel, through its incoming webhook. */
export function createSlackNotifier({ url, locale, ...options }: SlackOptions): Notifier {
  const address = readAddress(
    url,
    "SLACK_WEBHOOK_URL",
    ({ protocol, host }) => protocol === "https:" && HOSTS.has(host),
  );
  return {
    portVersion: 2,
    name: "slack",
    async notify(message, over) {
      if (!address.ok) return address;
      const text = escaped(noticeText(message, locale));
      return postJson(
        address.value,
        { text, mrkdwn: false, unfurl_links: false, unfurl_media: false },
        { ...options, over },
      );
    },
  };
}
