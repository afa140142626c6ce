import { particle } from "../../../text/index.ts";
import type { SHARED as ENGLISH } from "../english/usage.ts";
import type { UsageWords } from "../shapes.ts";

/** Arguments and options that mean the same at every command, in Korean. */
export const SHARED: Readonly<Record<keyof typeof ENGLISH, string>> = {
  "[file]": "태스크 파일. 지정하지 않으면 늘 두는 곳에서 찾음",
  "--allow-missing": "없는 태스크에 대한 의존은 충족된 것으로 봄",
  "--json": "JSON으로 출력",
  "--command": "에이전트 'command'의 명령줄. 프롬프트는 표준 입력으로 전달",
  "--max-tokens": "실행이 쓸 수 있는 최대 토큰. 넘게 될 시도는 시작하지 않음",
  "--max-cost": "실행에 쓸 수 있는 최대 비용(미국 달러)",
  "--agent": "에이전트를 지정하지 않은 태스크가 쓸 에이전트",
  "--parallel": "동시에 실행할 태스크 수",
  "--only": "이 태스크만 실행(쉼표로 구분)",
  "--force-phase": "이전 단계의 완료 수가 부족해도 이 단계를 시작",
  "--plan": "reconcile(기본값) 또는 frozen: 태스크 파일이 바뀌었으면 실행하지 않음",
  "--trust-boxes": "상태를 잃었을 때 체크된 상자를 믿음",
  "--trust-state": "이 홈의 봉인이 없거나 되돌려진 상태를 믿음",
  "--adopt": "다른 곳에서 만든 상태를 넘겨받음. 예: 폴더를 옮긴 경우",
  "--on": '허브의 머신이 작업하게 함: https://HOST[:PORT]. "none"은 취소',
  "--yes": "태스크 파일과 프로젝트에 적힌 명령을 승인",
  "--dashboard": "실행을 보고 조작하는 웹 페이지를 엶. 실행이 끝나도 Ctrl+C까지 유지",
  "--port": "대시보드 포트. 지정하지 않으면 4747부터 비어 있는 첫 번째",
  "--public": "프록시가 페이지를 제공하는 주소. 코드로 다른 기기를 들임",
  "--pair": "다른 기기를 들이는 코드를 표시",
  "--note": "기록으로 남길 이유",
  "--label": "이 문서에만",
  "--state": "허브의 폴더. 지정하지 않으면 홈 폴더 아래",
  "--hub": "허브 주소. 토큰은 ESPALIER_HUB_TOKEN에",
  "--locale": "사용할 언어. 지정하지 않으면 espalier.yaml, ESPALIER_LOCALE, LANG의 언어",
  "--version": "버전 출력",
};

/** The words around the descriptions, in Korean. */
export const USAGE: UsageWords = {
  titles: { "Usage:": "사용법:", "Arguments:": "인자:", "Options:": "옵션:", "Commands:": "명령:" },
  syntax: { "[options]": "[옵션]", "[command]": "[명령]" },
  helpOption: "명령의 도움말 표시",
  helpCommand: "명령의 도움말 표시",
  choices: values => `선택: ${values}`,
  byDefault: value => `기본값: ${value}`,
  newHere: [
    "처음이신가요?",
    "  espalier demo   새 폴더에서 작은 예제를 실행합니다. 에이전트도 키도 필요 없습니다",
    "  espalier init   프로젝트에서: 무엇이 있는지 살펴 espalier.yaml을 쓰고, 첫 태스크를 제안합니다",
    "  espalier help topics   주제별 읽을거리",
  ],
  listsCommands: line => `(명령 목록: ${line})`,
  showsCall: line => `(사용법: ${line})`,
  error: what => `오류: ${what}`,
  didYouMean: names => `(혹시 ${names.join(", ")}?)`,
  unknownOption: flag => `알 수 없는 옵션 '${flag}'`,
  unknownCommand: name => `알 수 없는 명령 '${name}'`,
  missingArgument: name => `필수 인자 '${name}' 없음`,
  missingValue: option => `옵션 '${option}'의 값 없음`,
  missingOption: option => `필수 옵션 '${option}' 없음`,
  emptyOption: option => `옵션 '${option}'의 값이 비어 있음: 값을 주거나 옵션을 빼세요 (설정되지 않은 변수?)`,
  emptyArgument: name => `인자 '${name}'${particle(name, "이/가")} 비어 있음 (설정되지 않은 변수?)`,
  tooMany: (command, expected, received, values) =>
    `'${command}'의 인자가 너무 많음: ${expected}개여야 하는데 ${received}개 (${values})`,
  badOption: (option, value, why) =>
    `옵션 '${option}'의 값 '${value}'${particle(value, "이/가")} 올바르지 않음. ${why}`,
  badArgument: (argument, value, why) =>
    `인자 '${argument}'의 값 '${value}'${particle(value, "이/가")} 올바르지 않음. ${why}`,
  allowed: choices => `가능한 값: ${choices}`,
  values: {
    amount: "미국 달러 금액. 예: 2.50",
    contextVersion: "버전: 3 또는 v3",
    days: "1에서 3650 사이의 일수",
    deltaVersion: "버전: 0에서 999999999 사이의 수",
    keep: "1에서 999999 사이의 수",
    level: "0(전체), 1(상세), 2(간략) 또는 3(핵심)",
    limit: "1에서 100000 사이의 수",
    parallel: '1에서 1000 사이의 수 또는 "declared"',
    port: "1에서 65535 사이의 포트",
    public: "경로 없는 https 주소(예: https://dash.example.org)이거나 이 머신의 http 주소여야 합니다",
    resource: "이름 또는 이름=수(1에서 1000 사이)",
    seconds: "1에서 86400 사이의 수",
    slots: "1에서 256 사이의 수",
    tokens: "1 이상의 토큰 수",
  },
};
