/** How a field of a task is written, and where. */
interface FieldRow {
  /** Names that the pages teach, and that are proposed for one that is a slip away; the first is the one we write. */
  readonly taught?: string;
  /** All its names, without spaces, `_` and `-`, in lower case. */
  readonly names: string;
  /** Its value may go on in the lines below. */
  readonly goesOn?: true;
  /** Its value is executed. */
  readonly isCommand?: true;
  /** Its value may be a code fence, or the lines below `|`. */
  readonly isCode?: true;
  /** A YAML block below the task may hold it. Commands may not stand there. */
  readonly inYaml?: true;
  /** A column of a table may. */
  readonly inRow?: true;
  /** Parentheses in a title may. */
  readonly inTitle?: true;
  /** Only a task has it: what it stands below is one. */
  readonly marksTask?: true;
}

/** Every field of a task, and the two of the plan: the one table of what may be written. */
const FIELDS = {
  depends: {
    taught: "depends_on depends dependencies blocked_by",
    names:
      "depends dependson dependency dependencies deps dependent dependenton blockedby after requires prerequisite prerequisites prereq prereqs precondition preconditions upstream blocker blockers predecessor predecessors needs waitsfor waitfor 의존 의존성 의존관계 의존태스크 의존작업 의존사항 태스크의존성 선행 선행태스크 선행작업 선행조건 선행의존성 선결 선결조건 선결태스크 선결과제 선수태스크 선수작업 이전태스크 이전작업 블로커 전제조건 실행조건 시작조건 依存 依存関係 依存タスク 依存先 前提 前提タスク 前提条件 先行タスク 依赖 依赖项 依赖关系 依赖任务 前置 前置任务 前置条件 前置依赖",
    goesOn: true,
    inYaml: true,
    inRow: true,
    inTitle: true,
    marksTask: true,
  },
  blocks: {
    taught: "blocks",
    names: "blocks 차단 후행 후행태스크 후속 후속태스크 후속작업",
    goesOn: true,
    marksTask: true,
  },
  parallel: {
    taught: "parallel_with parallel",
    names:
      "parallel parallelwith parallelizable canparallel canrunparallel concurrentwith 병렬 병렬실행 병렬가능 병렬처리 병렬태스크 병렬작업 병렬여부 동시실행 並列 並列実行 並行 并行 并行任务",
    goesOn: true,
    inYaml: true,
    inRow: true,
    inTitle: true,
    marksTask: true,
  },
  specialist: {
    taught: "specialist",
    names:
      "specialist specialists agentrole agentspecialist owner assignee assignedto assigned assignedagent responsible subagent subagenttype 담당 담당자 담당에이전트 담당전문가 담당역할 담당specialist 전문가 전문에이전트 실행에이전트 서브에이전트 担当 担当者 担当エージェント 负责人 负责 负责代理 执行者 责任人",
    goesOn: true,
    inYaml: true,
    inRow: true,
    inTitle: true,
    marksTask: true,
  },
  worktree: {
    taught: "worktree",
    names: "worktree worktree경로 gitworktree gitworktree설정 worktree설정 워크트리",
    goesOn: true,
    isCode: true,
    inYaml: true,
    inRow: true,
    marksTask: true,
  },
  files: {
    taught: "files",
    names:
      "file files filepath filestocreate filestomodify filestochange filescreated filesmodified filestouched newfiles deliverable deliverables 파일 파일들 파일경로 생성파일 수정파일 변경파일 대상파일 구현파일 테스트파일 산출물 ファイル 成果物 文件 产出物 产出",
    goesOn: true,
    inYaml: true,
    inRow: true,
    marksTask: true,
  },
  tdd: {
    taught: "tdd",
    names: "tdd tdd사이클 tddcycle tdd적용",
    marksTask: true,
  },
  status: {
    taught: "status",
    names:
      "status state progress 상태 진행상태 진행상황 진행률 진척률 진척도 완료 완료여부 완료상태 done completed 状態 ステータス 进度 状态",
    inRow: true,
    marksTask: true,
  },
  criteria: {
    taught: "acceptance",
    names:
      "acceptance acceptancecriteria criteria donewhen definitionofdone dod 완료조건 완료기준 인수조건 수용기준 검증항목 체크리스트 受け入れ条件 受入基準 完了条件 验收标准 完成条件",
    marksTask: true,
  },
  verify: {
    taught: "verify",
    names: "verify",
    goesOn: true,
    isCommand: true,
    isCode: true,
    marksTask: true,
  },
  run: {
    taught: "run",
    names: "run",
    goesOn: true,
    isCommand: true,
    isCode: true,
    marksTask: true,
  },
  test: {
    taught: "test",
    names: "test",
    goesOn: true,
    isCommand: true,
    isCode: true,
  },
  agent: {
    taught: "agent",
    names: "agent 에이전트 エージェント 代理",
    marksTask: true,
  },
  role: {
    taught: "role",
    names: "role 역할",
  },
  context: {
    taught: "context",
    names: "context contextref contextnode",
  },
  fills: {
    taught: "fills",
    names: "fills fill targetnode",
    marksTask: true,
  },
  expects: {
    taught: "expects",
    names: "expects",
    goesOn: true,
  },
  risk: {
    taught: "risk",
    names: "risk risklevel 위험도 리스크",
    inYaml: true,
    inRow: true,
  },
  kind: {
    taught: "kind",
    names: "kind tasktype",
  },
  feature: {
    names: "feature featurebranch",
  },
  project: {
    names: "project projectname 프로젝트명 프로젝트 프로젝트이름",
  },
} as const satisfies Readonly<Record<string, FieldRow>>;

/** What a field says, whatever language its name is written in. */
export type FieldKey = keyof typeof FIELDS;

const ROWS = Object.entries(FIELDS) as readonly (readonly [FieldKey, FieldRow])[];

function keysThat(holds: (row: FieldRow) => true | undefined): ReadonlySet<FieldKey> {
  return new Set(ROWS.flatMap(([key, row]) => (holds(row) === true ? [key] : [])));
}

export const GOES_ON: ReadonlySet<FieldKey> = keysThat(row => row.goesOn);
export const COMMANDS: ReadonlySet<FieldKey> = keysThat(row => row.isCommand);
export const CODE: ReadonlySet<FieldKey> = keysThat(row => row.isCode);
export const IN_YAML: ReadonlySet<FieldKey> = keysThat(row => row.inYaml);
export const IN_ROW: ReadonlySet<FieldKey> = keysThat(row => row.inRow);
export const IN_TITLE: ReadonlySet<FieldKey> = keysThat(row => row.inTitle);
export const MARKS_TASK: ReadonlySet<FieldKey> = keysThat(row => row.marksTask);

/** The names that the pages teach, one by one. */
export const TAUGHT: readonly string[] = ROWS.flatMap(([, { taught }]) => taught?.split(" ") ?? []);

const KEYS: ReadonlyMap<string, FieldKey> = new Map(
  ROWS.flatMap(([key, { names }]) => names.split(" ").map(name => [name, key] as const)),
);

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
