import type { AgentProblem, BlockProblem, NodeStatus, VcsProblem } from "../../ports/index.ts";

/** How an agent failed; empty where its own words are enough. */
export const AGENT: Readonly<Record<AgentProblem, string>> = {
  "not-found": "프로그램 없음",
  spawn: "시작 불가",
  exit: "비정상 종료",
  killed: "강제 종료됨",
  "wall-clock": "시간 제한 초과",
  idle: "응답 없음",
  cancelled: "취소됨",
  unsuitable: "태스크에 맞지 않는 에이전트",
  auth: "로그인 필요",
  quota: "할당량 소진",
  overloaded: "서비스 과부하",
  "max-turns": "턴 제한 도달",
  budget: "예산 제한 도달",
  protocol: "프로토콜 오류",
};

/** How a context node stands. */
export const NODE: Readonly<Record<NodeStatus, string>> = {
  active: "활성",
  completed: "완료",
  abandoned: "포기",
  merged: "병합",
};

/** What became of a folder of work. */
export const VCS: Readonly<Record<VcsProblem, string>> = {
  "config-changed": "git 설정이 바뀜",
  foreign: "다른 곳의 작업 폴더",
  unprepared: "작업 폴더 준비 실패",
  "filter-failed": "git 필터 오류",
  unfinished: "끝나지 않은 git 작업",
  strayed: "브랜치를 벗어남",
  full: "디스크 공간 부족",
  failed: "git 오류",
};

/** What is wrong with a block of an answer. */
export const BLOCK: Readonly<Record<BlockProblem, string>> = {
  unterminated: "끝나지 않음",
  nested: "안에서 다른 블록이 시작됨",
  empty: "내용 없음",
  "bad-id": "노드 이름 없음",
  "bad-tag": "태그는 앞뒤 표시 없이 [ADD_CONTEXT:노드] 형태여야 함",
  "too-long": "너무 김",
  "too-many": "너무 많음",
  "too-much": "합계가 너무 김",
};
