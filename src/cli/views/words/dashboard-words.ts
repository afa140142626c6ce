import type { Locale } from "../../../text/index.ts";

/** Where a page is served here, and at which address others open it. */
export interface PageAddress {
  readonly origin: string;
  readonly address: string;
}

/** What `espalier dashboard` says, in one language. */
export interface DashboardWords {
  readonly open: string;
  readonly pair: (page: PageAddress, code: string) => string;
  /** Where a new code is had: at a terminal of the dashboard's own, or on the page of a run that has it. */
  readonly inTerminal: string;
  readonly onPage: string;
  /** Of the page that a run has. */
  readonly beside: (link: string) => string;
  readonly news: Readonly<Record<"paired" | "closed", string>>;
}

/** What another machine runs first, where the address is one that every machine takes for itself. */
function tunnelTo({ origin, address }: PageAddress): string | undefined {
  const { hostname, port, protocol } = new URL(address);
  if (!/^(?:127(?:\.\d+){3}|\[::1\]|localhost|.*\.localhost)$/.test(hostname)) return undefined;
  const there = port || (protocol === "https:" ? "443" : "80");
  return `ssh -L ${there}:127.0.0.1:${new URL(origin).port} HOST`;
}

const ENGLISH: DashboardWords = {
  open: "Open this link in a browser on this machine. Ctrl+C ends the dashboard; a run goes on.",
  pair: (page, code) => {
    const tunnel = tunnelTo(page);
    const first = tunnel === undefined ? "" : `${tunnel}  (this machine for HOST), then `;
    return `From another device: ${first}open ${page.address} and enter the code\n  ${code}\nIt lets one device in, within 10 minutes.`;
  },
  inTerminal: "In a terminal, Enter shows a new one.",
  onPage: "Devices on the page shows a new one.",
  beside: link => `dashboard: ${link}\n  It stays when the run has ended, until Ctrl+C or Stop on the page.`,
  news: {
    paired: "a device was let in by the code",
    closed:
      "ten wrong codes were entered: the last one counts no more, and none is taken for ten minutes, or until you make a new one",
  },
};

const KOREAN: DashboardWords = {
  open: "이 머신의 브라우저에서 이 링크를 여세요. Ctrl+C는 대시보드를 끝내며 실행은 계속됩니다.",
  pair: (page, code) => {
    const tunnel = tunnelTo(page);
    const first = tunnel === undefined ? "" : `그 기기에서 ${tunnel} 명령을 실행한 뒤(HOST는 이 머신) `;
    return `다른 기기에서 접속하려면 ${first}${page.address} 주소를 열고 다음 코드를 입력하세요\n  ${code}\n코드는 10분 안에 기기 하나만 들입니다.`;
  },
  inTerminal: "터미널에서는 Enter로 새 코드를 볼 수 있습니다.",
  onPage: "새 코드는 페이지의 ‘기기’에서 볼 수 있습니다.",
  beside: link => `대시보드: ${link}\n  실행이 끝나도 Ctrl+C를 누르거나 페이지에서 중지할 때까지 남습니다.`,
  news: {
    paired: "코드로 기기 하나가 접속했습니다",
    closed:
      "틀린 코드가 열 번 입력되어 마지막 코드는 더 이상 쓸 수 없으며, 새 코드를 만들지 않으면 10분 동안 코드를 받지 않습니다",
  },
};

/** The words of a language. */
export function dashboardWords(locale: Locale): DashboardWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
