import type { TimelineWords } from "./words.ts";

const count = (number: number) => number.toLocaleString("ko-KR");

/** The timeline in Korean. */
export const KOREAN_TIMELINE: TimelineWords = {
  chart: "시도",
  chartEmpty:
    "아직 시작된 시도가 없습니다. espalier run이 에이전트에게 태스크를 맡기면 여기에 막대로 표시됩니다.",
  rows: "행",
  rowsOf: { task: "태스크", agent: "에이전트", machine: "머신" },
  stretch: "구간",
  whole: "실행 전체",
  last: time => `최근 ${time}`,
  here: "이 머신",
  moment: "시점",
  now: "지금",
  pastAt: (time, ago) => `${time}, ${ago} 전`,
  atWork: "실행 중",
  nobody: "없음",
  legend: "막대의 뜻",
  between: "다음 시도 대기",
  older: spans => `이전 시도 ${count(spans)}개는 그리지 않음`,
  kind: "표시",
  kindOf: {
    all: "전체",
    trouble: "문제",
    people: "사람의 결정",
    attempts: "시도",
    phases: "실행과 단계",
  },
  events: "태스크나 단어로 거르기",
  eventsHint: "태스크 또는 단어",
  noneSuch: "해당하는 일이 없습니다.",
  olderEvents: "이전 기록",
  search: "에이전트 출력 검색",
  searchHint: "모든 시도의 출력에서 찾을 단어",
  searchDo: "검색",
  searched: (attempts, cut) =>
    `최근 것부터 시도 ${count(attempts)}개 검색${cut === 0 ? "" : `; 그중 ${cut}개는 마지막 256 KiB만`}`,
  found: hits => `시도 ${count(hits)}개에서 찾음`,
  further: "이전 시도 검색",
};
