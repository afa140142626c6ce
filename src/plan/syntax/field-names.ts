/** What a field of a task says, whatever language its name is written in. */
export type FieldKey =
  | "depends"
  | "blocks"
  | "parallel"
  | "specialist"
  | "worktree"
  | "files"
  | "tdd"
  | "status"
  | "criteria"
  | "verify"
  | "run"
  | "test"
  | "agent"
  | "role"
  | "context"
  | "fills"
  | "expects"
  | "risk"
  | "kind"
  | "feature"
  | "project";

/** Names without spaces, `_` and `-`, in lower case. */
const NAMES: Record<FieldKey, string> = {
  depends:
    "depends dependson dependency dependencies deps dependent dependenton blockedby after requires prerequisite prerequisites prereq prereqs precondition preconditions upstream blocker blockers predecessor predecessors needs waitsfor waitfor 의존 의존성 의존관계 의존태스크 의존작업 의존사항 태스크의존성 선행 선행태스크 선행작업 선행조건 선행의존성 선결 선결조건 선결태스크 선결과제 선수태스크 선수작업 이전태스크 이전작업 블로커 전제조건 실행조건 시작조건 依存 依存関係 依存タスク 依存先 前提 前提タスク 前提条件 先行タスク 依赖 依赖项 依赖关系 依赖任务 前置 前置任务 前置条件 前置依赖",
  blocks: "blocks 차단 후행 후행태스크 후속 후속태스크 후속작업",
  parallel:
    "parallel parallelwith parallelizable canparallel canrunparallel concurrentwith 병렬 병렬실행 병렬가능 병렬처리 병렬태스크 병렬작업 병렬여부 동시실행 並列 並列実行 並行 并行 并行任务",
  specialist:
    "specialist specialists agentrole agentspecialist owner assignee assignedto assigned assignedagent responsible subagent subagenttype 담당 담당자 담당에이전트 담당전문가 담당역할 담당specialist 전문가 전문에이전트 실행에이전트 서브에이전트 担当 担当者 担当エージェント 负责人 负责 负责代理 执行者 责任人",
  worktree: "worktree worktree경로 gitworktree gitworktree설정 worktree설정 워크트리",
  files:
    "file files filepath filestocreate filestomodify filestochange filescreated filesmodified filestouched newfiles deliverable deliverables 파일 파일들 파일경로 생성파일 수정파일 변경파일 대상파일 구현파일 테스트파일 산출물 ファイル 成果物 文件 产出物 产出",
  tdd: "tdd tdd사이클 tddcycle tdd적용",
  status:
    "status state progress 상태 진행상태 진행상황 진행률 진척률 진척도 완료 완료여부 완료상태 done completed 状態 ステータス 进度 状态",
  criteria:
    "acceptance acceptancecriteria criteria donewhen definitionofdone dod 완료조건 완료기준 인수조건 수용기준 검증항목 체크리스트 受け入れ条件 受入基準 完了条件 验收标准 完成条件",
  verify: "verify",
  run: "run",
  test: "test",
  agent: "agent 에이전트 エージェント 代理",
  role: "role 역할",
  context: "context contextref contextnode",
  fills: "fills fill targetnode",
  expects: "expects",
  risk: "risk risklevel 위험도 리스크",
  kind: "kind tasktype",
  feature: "feature featurebranch",
  project: "project projectname 프로젝트명 프로젝트 프로젝트이름",
};

const KEYS = new Map<string, FieldKey>();
for (const [key, names] of Object.entries(NAMES)) {
  for (const name of names.split(" ")) KEYS.set(name, key as FieldKey);
}

/** The key a field name stands for; of `의존성/독립성` the part that is known. */
export function fieldKey(name: string): FieldKey | undefined {
  const known = KEYS.get(compact(name));
  if (known !== undefined || name.length > 40) return known;
  for (const part of name.split(/[/·&]/)) {
    const key = KEYS.get(compact(part));
    if (key !== undefined && part !== name) return key;
  }
  return undefined;
}

function compact(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}
