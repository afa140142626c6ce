import type { HubRefusalArgs, HubSaid, HubSilence } from "../../ports/index.ts";
import type { CatalogueOf } from "./catalogue.ts";

const ADDRESS = {
  unreadable: ["읽을 수 없음", "이렇게 적으세요: https://hub.example.com:4748"],
  scheme: ["https도 http도 아님", "https://로 시작합니다"],
  plain: ["암호화되지 않은 HTTP는 모든 것을 네트워크에 드러냄", "https://나 이 머신으로 오는 터널을 쓰세요"],
  secret: ["이름이나 비밀번호가 들어 있음", "토큰은 주소에 적지 않습니다"],
  path: ["호스트 뒤에 풀 말고 다른 것이 있음", "이렇게 적으세요: https://HOST/POOL"],
} as const;

const SILENT: Readonly<Record<HubSilence, (url: string, said: string) => string>> = {
  closed: url => `${url}에서 응답하는 것이 없음`,
  nowhere: url => `그런 호스트가 없음: ${url}`,
  cut: url => `연결이 끊김: ${url}`,
  silent: url => `제때 응답하지 않음: ${url}`,
  untrusted: (url, said) => `인증서를 믿을 수 없음: ${url} (${said})`,
  plain: url => `HTTPS로 응답하지 않음: ${url}`,
  other: (url, said) => `연결할 수 없음: ${url} (${said})`,
};

/** What a hub has said, or why it said nothing. */
export function hubWords({ code = "", said, url = "", how, status = 200 }: HubSaid): string {
  if (how !== undefined) return SILENT[how](url, said);
  if (code !== "no-hub") return SAID[code] ?? said;
  return status === 200 ? `이 버전의 허브가 아님: ${url}` : `허브가 아님: ${url} (HTTP ${status})`;
}

const SAID: Readonly<Record<string, string>> = {
  unreachable: "허브에 연결할 수 없음",
  taken: "다른 프로세스가 이 실행을 넘겨받음",
  "bad-request": "허브가 이 요청을 받지 않음",
  "no-json": "허브가 이 요청을 읽지 못함",
  "no-such-call": "허브가 모르는 요청",
  "too-large": "허브가 받기에는 너무 큰 요청",
  "no-token": "토큰을 알 수 없거나, 취소되었거나, 만료됨",
  "wrong-role": "이 토큰의 역할로는 할 수 없는 일임",
  superseded: "이 머신이 다른 곳에서 다시 시작되어 자리를 넘겨받음",
  "other-version": "허브와 버전이 다름",
  "too-many": "이 주소에서 잘못된 토큰이 너무 많이 옴",
  "hub-full": "허브의 디스크에 남은 공간이 부족함",
  trouble: "허브가 지금은 할 수 없음",
};

const THEN: Readonly<Record<string, string>> = {
  "no-token": "허브 관리자에게 토큰을 받으세요: espalier hub token add",
  "wrong-role": "토큰은 머신용과 실행용이 따로 있습니다: espalier hub token add NAME, 실행용이면 --run",
  superseded: "토큰은 머신마다 하나입니다. 각각 만드세요: espalier hub token add NAME",
  "other-version": "양쪽 espalier의 버전을 맞추세요",
  trouble: "그곳의 espalier hub start가 출력한 내용에 이유가 있습니다",
  "hub-full": "허브의 디스크에 공간을 만든 뒤 다시 실행하세요",
  untrusted: "직접 만든 인증서라면 서명한 인증서의 파일을 NODE_EXTRA_CA_CERTS로 지정하세요",
  plain: "이 머신이나 이 머신으로 오는 터널 뒤의 허브는 http://로 부릅니다",
  nowhere: "주소의 이름이 맞는지, 이 머신이 그 이름을 아는지 확인하세요",
  cut: "허브가 HTTPS로 제공되면 주소는 https://로 시작합니다. 아니면 허브가 아직 실행 중인지 확인하세요",
  "no-hub": "주소가 맞는지 확인하고, 양쪽 espalier의 버전을 맞추세요",
};

/** Why a hub, a worker or whoever calls a hub does nothing, in Korean. */
export const KOREAN_HUB: CatalogueOf<HubRefusalArgs> = {
  "listen-shape": ({ text }) => `--listen의 값은 HOST:PORT여야 합니다: ${text}`,
  "cert-with-key": () => "--cert와 --key는 함께 지정해야 합니다",
  "pem-unreadable": ({ said }) => `인증서나 그 키를 읽을 수 없음: ${said}`,
  "plain-for-others": ({ host }) => `다른 사람도 볼 수 있는 주소라, 허브는 HTTPS로만 제공됨: ${host}`,
  "serve-https": () =>
    "--cert와 --key를 지정하거나, 인증서가 있는 프록시나 터널 뒤에서 127.0.0.1로 제공하세요",
  "folder-unmade": ({ path, said }) => `만들 수 없음: ${path} (${said})`,
  "folder-elsewhere": () => "쓰기 권한이 있는지 확인하거나 다른 폴더를 지정하세요",
  "hub-runs": ({ folder, pid }) =>
    `다른 허브가 이미 ${folder}에서 실행 중${pid === undefined ? "" : ` (프로세스 ${pid})`}`,
  "hub-runs-then": () => "허브는 하나면 됩니다. 따로 하나 더 두려면 다른 폴더를 쓰세요: --state PATH",
  "room-or-rights": () => "디스크에 공간이 있는지, 쓰기 권한이 있는지 확인하세요",
  "needs-git": ({ by }) => `${by === "hub" ? "허브" : "작업 머신"}에는 git이 필요하지만 PATH에 없음`,
  "no-listening": ({ at, said }) => `이 주소로 제공할 수 없음: ${at} (${said})`,
  "listen-elsewhere": () => "다른 허브가 이미 있을 수 있습니다. 다른 자리: --listen HOST:PORT",
  "name-shape": ({ of, text }) => `${of}에는 글자, 숫자, 점, 하이픈만 64자까지 쓸 수 있습니다: ${text}`,
  "no-token-of": ({ name }) => `토큰 없음: ${name}`,
  "list-tokens": () => "있는 토큰: espalier hub token list",
  "tokens-unreadable": ({ path, said }) => `읽을 수 없음: ${path} (${said})`,
  "renew-tokens": () => "그 파일을 옮기고 머신마다 새 토큰을 만드세요",
  "tokens-unwritable": ({ path, said }) => `쓸 수 없음: ${path} (${said})`,
  "no-engine": ({ missing, folder }) => `허브에 필요한 것이 ${folder}에 없음: ${missing.join(", ")}`,
  "install-engine": ({ missing }) => `npm install ${missing.join(" ")}`,
  "engine-not-started": ({ said }) =>
    `restate-server가 시작되지 않음: ${said === "" ? "아무 말 없음" : said}`,

  "no-label": ({ label }) => `라벨로 쓸 수 없음: ${label}`,
  "label-shape": () => "글자, 숫자, . : / = - 만 공백 없이 쓰세요: --label gpu --label arch=arm64",
  "no-agent-here": () => "여기서 실행할 수 있는 에이전트 가운데 설치되고 로그인된 것이 없음",
  "see-agents": () => "무엇을 찾는지 보려면: espalier agents",
  "rules-refused": ({ path, at, said, korean = said }) =>
    `${path}${at === undefined ? "" : `:${at}`}: ${korean}`,
  "rules-unreadable": ({ path, said }) => `읽을 수 없음: ${path} (${said})`,
  "rules-keys": ({ korean }) => korean ?? "모든 키는 espalier help many-machines에 있습니다",

  "hub-address": ({ text, why }) => `허브의 주소가 아님: ${text} (${ADDRESS[why][0]})`,
  "hub-address-like": ({ why }) => ADDRESS[why][1],
  "machine-token": () => "허브 관리자가 토큰을 만듭니다: espalier hub token add NAME",
  "hub-refused": hubWords,
  "hub-refused-then": ({ code = "", how = "other" }) =>
    THEN[how] ?? THEN[code] ?? "그곳에서 espalier hub start가 실행 중인지, 주소가 맞는지 확인하세요",
};
