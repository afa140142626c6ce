import type { Locale } from "../../../text/index.ts";

/** What `espalier notify test` says, in one language. Arguments are safe to show. */
export interface NotifyWords {
  readonly told: (name: string) => string;
  readonly notTold: (name: string, why: string) => string;
  readonly nobody: { readonly message: string; readonly hint: string };
}

const ENGLISH: NotifyWords = {
  told: name => `${name}: told`,
  notTold: (name, why) => `${name}: not told, ${why}`,
  nobody: {
    message: "nobody would be told",
    hint: "set notify: in espalier.yaml (desktop: on, webhook, command), or SLACK_WEBHOOK_URL in the environment",
  },
};

const KOREAN: NotifyWords = {
  told: name => `${name}: 알림 전송됨`,
  notTold: (name, why) => `${name}: 알림 전송 실패, ${why}`,
  nobody: {
    message: "알림을 받을 곳이 없습니다",
    hint: "espalier.yaml의 notify:(desktop: on, webhook, command) 또는 환경 변수 SLACK_WEBHOOK_URL을 설정하세요",
  },
};

/** The words of a language. */
export function notifyWords(locale: Locale): NotifyWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
