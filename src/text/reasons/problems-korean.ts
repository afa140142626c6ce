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

export const NOTES = {
  shallow: "얕은 클론: 첫 커밋 이전의 이력이 없습니다",
  submodules:
    "새 워크트리에서는 서브모듈이 비어 있습니다; worktree.setup: [git submodule update --init]로 채울 수 있습니다",
  lfs: "Git LFS: 큰 파일은 LFS 필터에서 오며, 설치되어 있어야만 받습니다",
  sparse: "스파스 체크아웃: 새 워크트리가 그 패턴을 따릅니다",
  case: "이름은 대소문자 외에도 달라야 합니다: 브랜치와 폴더는 소문자입니다",
} as const;

export const ONE_FOLDER = {
  "no-repository": "git 저장소 없음",
  "no-commits": "git 저장소에 아직 커밋이 없음",
  outside: "git 저장소에 속하지 않은 폴더",
  off: "git.worktrees: off",
} as const;

export const KEPT = {
  held: "그대로 둠: 이것을 잡고 있을 수 있는 git 프로세스가 살아 있습니다",
  merge: '그대로 둠: "espalier phase merge" 또는 "espalier resume"이 마무리합니다',
  gone: "그대로 둠: 폴더가 없습니다; git worktree prune으로 지울 수 있습니다",
} as const;

export const MENDED = {
  unheld: "제거함: 아무도 잡고 있지 않았습니다",
  unworked: "제거함: 그곳에서 작업한 것이 없었습니다",
  "put-back": "브랜치가 가리키는 상태로 되돌렸습니다; 나머지는 먼저 저장해 두었습니다",
} as const;
