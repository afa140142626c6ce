import { useWords } from "../words/use-words.ts";

/** What is said of who is let in, in one language. */
export interface AccessWords {
  readonly code: string;
  readonly codeHint: string;
  readonly enter: string;
  readonly devices: string;
  readonly none: string;
  readonly kind: Readonly<Record<"device" | "link", string>>;
  readonly until: (time: string) => string;
  readonly revoke: (name: string) => string;
  readonly newCode: string;
  readonly codeTold: (origin: string) => string;
  /** Where the page is at an address of this machine only. */
  readonly codeHere: (origin: string) => string;
  readonly share: string;
  readonly shareTold: string;
  readonly close: string;
  readonly leave: string;
  readonly readOnly: string;
  readonly failed: string;
}

const ENGLISH: AccessWords = {
  code: "Code",
  codeHint: "The terminal of the dashboard shows it with --pair, or the page at the desk under Devices.",
  enter: "Let me in",
  devices: "Devices",
  none: "Nobody else is let in.",
  kind: { device: "Device", link: "Link that only shows" },
  until: time => `until ${time}`,
  revoke: name => `Revoke ${name}`,
  newCode: "Code for a device",
  codeTold: origin => `Open ${origin} there and enter it within 10 minutes. It lets one device in.`,
  codeHere: origin =>
    `It lets one device in within 10 minutes. ${origin} is an address of this machine only: the device reaches it over SSH, or over a proxy of yours that espalier dashboard --public names.`,
  share: "Link that only shows",
  shareTold: "Whoever has it sees this run for 24 hours, or until you revoke it, and can do nothing.",
  close: "Close",
  leave: "Log out",
  readOnly: "only shows",
  failed: "No answer; try again.",
};

const KOREAN: AccessWords = {
  code: "코드",
  codeHint: "--pair로 시작한 대시보드의 터미널이나, 책상 앞 페이지의 ‘기기’에서 볼 수 있습니다.",
  enter: "접속",
  devices: "기기",
  none: "접속이 허용된 다른 기기가 없습니다.",
  kind: { device: "기기", link: "보기 전용 링크" },
  until: time => `${time}까지`,
  revoke: name => `${name} 접속 해제`,
  newCode: "기기용 코드",
  codeTold: origin => `그 기기에서 ${origin} 주소를 열고 10분 안에 입력하세요. 기기 하나만 들입니다.`,
  codeHere: origin =>
    `10분 안에 기기 하나만 들입니다. ${origin} 주소는 이 컴퓨터에서만 열립니다. 다른 기기에서는 SSH나, espalier dashboard --public으로 알려 준 프록시를 거쳐 접속하세요.`,
  share: "보기 전용 링크",
  shareTold: "이 링크가 있으면 24시간 동안, 또는 해제할 때까지 이 실행을 볼 수만 있습니다.",
  close: "닫기",
  leave: "로그아웃",
  readOnly: "보기 전용",
  failed: "응답이 없습니다. 다시 시도하세요.",
};

/** Whether an origin is reached from this machine alone. */
export function isHere(origin: string): boolean {
  return ["127.0.0.1", "localhost"].includes(new URL(origin).hostname);
}

/** The words of the language of the page. */
export function useAccessWords(): AccessWords {
  return useWords().locale === "ko" ? KOREAN : ENGLISH;
}
