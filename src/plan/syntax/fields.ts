import { MOST_TRIES } from "../../ports/index.ts";
import type { FieldRow, Valued, ValueKind, ValueKinds } from "./field-row.ts";

/**
 * Every field of a task, and the two of the plan: the one table of what may be written. The reader, `plan --json`, `task show`,
 * the names that are proposed, the configuration that `init` writes and the page about task files come from it.
 */
const FIELDS = {
  /** Shell block for the shell agent. */
  run: {
    taught: { names: "run", example: "a shell block, below", effect: "what the `shell` agent executes" },
    names: "run",
    value: "command",
    goesOn: true,
    isCode: true,
    marksTask: true,
  },
  /** Shell command that must pass before the task counts as completed. */
  verify: {
    taught: {
      names: "verify",
      example: "`verify: npm test -- cart`",
      effect: "must exit with 0 before the task counts as completed",
    },
    names: "verify",
    value: "command",
    goesOn: true,
    isCode: true,
    marksTask: true,
  },
  /** `diff`, `none`, or paths that must exist afterwards. */
  expects: {
    taught: {
      names: "expects",
      example: "`expects: dist/index.html`",
      effect:
        "these paths must exist; `diff`: something must have changed (in a repository); `none` asks for nothing",
    },
    names: "expects",
    value: "words",
    goesOn: true,
  },
  depends: {
    taught: {
      names: "depends_on depends dependencies blocked_by",
      also: "의존성, 선행, 依存, 依赖",
      example: "`depends_on: [T1.1]`",
      effect: "waits for these to complete",
    },
    names:
      "depends dependson dependency dependencies deps dependent dependenton blockedby after requires prerequisite prerequisites prereq prereqs precondition preconditions upstream blocker blockers predecessor predecessors needs waitsfor waitfor 의존 의존성 의존관계 의존태스크 의존작업 의존사항 태스크의존성 선행 선행태스크 선행작업 선행조건 선행의존성 선결 선결조건 선결태스크 선결과제 선수태스크 선수작업 이전태스크 이전작업 블로커 전제조건 실행조건 시작조건 依存 依存関係 依存タスク 依存先 前提 前提タスク 前提条件 先行タスク 依赖 依赖项 依赖关系 依赖任务 前置 前置任务 前置条件 前置依赖",
    goesOn: true,
    inYaml: true,
    inRow: true,
    inTitle: true,
    marksTask: true,
  },
  blocks: {
    taught: {
      names: "blocks",
      also: "후행, 차단",
      example: "`blocks: T1.4`",
      effect: "those wait for this one",
    },
    names: "blocks unblocks requiredby neededby 차단 후행 후행태스크 후속 후속태스크 후속작업",
    goesOn: true,
    marksTask: true,
  },
  parallel: {
    taught: {
      names: "parallel_with parallel",
      also: "병렬, 並列, 并行",
      example: "`parallel_with: [T1.2]`",
      effect: "dispatched together",
    },
    names:
      "parallel parallelwith parallelizable canparallel canrunparallel concurrentwith 병렬 병렬실행 병렬가능 병렬처리 병렬태스크 병렬작업 병렬여부 동시실행 並列 並列実行 並行 并行 并行任务",
    goesOn: true,
    inYaml: true,
    inRow: true,
    inTitle: true,
    marksTask: true,
  },
  /** Repository paths the task names as its own; tasks that share one never run at once. */
  files: {
    taught: {
      names: "files",
      also: "파일, 산출물, 文件",
      example: "`files: src/cart.ts`",
      effect: "never at once with another task of that path; folders and patterns overlap what they hold",
    },
    names:
      "file files filepath filestocreate filestomodify filestochange filescreated filesmodified filestouched newfiles deliverable deliverables 파일 파일들 파일경로 생성파일 수정파일 변경파일 대상파일 구현파일 테스트파일 산출물 ファイル 成果物 文件 产出物 产出",
    value: "paths",
    always: true,
    goesOn: true,
    inYaml: true,
    inRow: true,
    marksTask: true,
  },
  /** Named things that only so many tasks may use at once. */
  uses: {
    taught: {
      names: "uses",
      also: "자원",
      example: "`uses: [db, port:3000]`",
      effect:
        "starts only while fewer tasks than [`resources`](running.md#named-resources) allows use each of these; one, unless said",
    },
    names: "uses 자원",
    value: "names",
    goesOn: true,
  },
  risk: {
    taught: {
      names: "risk",
      also: "위험도",
      example: "`risk: critical`",
      effect: "`critical` and `high` run alone; `low`, `medium` are only kept",
    },
    names: "risk risklevel 위험도 리스크",
    value: "choice",
    choices: {
      low: "low",
      낮음: "low",
      medium: "medium",
      중간: "medium",
      보통: "medium",
      critical: "critical",
      high: "critical",
      높음: "critical",
    },
    inYaml: true,
    inRow: true,
  },
  /** Name of the agent adapter that should work on it. */
  agent: {
    taught: {
      names: "agent",
      also: "에이전트",
      example: "`agent: command`",
      effect:
        "which agent works on it, see below; `[claude, codex]`: [both at once](running.md#several-agents-on-one-task)",
    },
    names: "agent 에이전트 エージェント 代理",
    value: "agent",
    marksTask: true,
  },
  role: {
    taught: {
      names: "role",
      also: "역할",
      example: "`role: backend-specialist`",
      effect: "mapped to an agent by `roles:`",
    },
    names: "role 역할",
    value: "name",
  },
  /** The role (`담당`, `specialist:`, `role:`) that should work on it. */
  specialist: {
    taught: {
      names: "specialist",
      also: "담당, owner, assignee, 担当, 负责人",
      example: "`담당: backend-specialist`",
      effect: "the same, where there is no `role`",
    },
    names:
      "specialist specialists agentrole agentspecialist owner assignee assignedto assigned assignedagent responsible subagent subagenttype 담당 담당자 담당에이전트 담당전문가 담당역할 담당specialist 전문가 전문에이전트 실행에이전트 서브에이전트 担当 担当者 担当エージェント 负责人 负责 负责代理 执行者 责任人",
    value: "role",
    isHandedDown: true,
    goesOn: true,
    inYaml: true,
    inRow: true,
    inTitle: true,
    marksTask: true,
  },
  /** Context-tree node a context-fill task writes. */
  fills: {
    taught: {
      names: "fills",
      also: "target_node",
      example: "`fills: ctx-api`",
      effect: "its answer becomes a document of that node of the [context tree](context-tree.md)",
    },
    names: "fills fill targetnode",
    value: "node",
    marksTask: true,
  },
  kind: {
    taught: {
      names: "kind",
      also: "task_type",
      example: "`kind: context-fill`",
      effect: "`worker` or `context-fill`",
    },
    names: "kind tasktype",
    value: "kind",
    always: true,
  },
  /** Context-tree node the task reads. */
  contextRef: {
    taught: {
      names: "context",
      also: "context_ref",
      example: "`context: ctx-api`",
      effect: "which node it reads: it waits for those who fill it, and is given its documents",
    },
    names: "context contextref contextnode",
    value: "node",
  },
  tdd: {
    taught: {
      names: "tdd",
      also: "TDD 사이클",
      example: "`tdd: true`",
      effect: "tests [before and after](worktrees.md#tests-before-and-after); `RED→GREEN` in a title sets it",
    },
    names: "tdd tdd사이클 tddcycle tdd적용",
    value: "yesNo",
    marksTask: true,
  },
  /** The task's own test command. */
  test: {
    taught: {
      names: "test",
      example: "`test: npm test -- cart`",
      effect: "fails before the work, passes after it",
    },
    names: "test",
    value: "command",
    goesOn: true,
    isCode: true,
  },
  /** Whether a retry goes on with what the attempt before has left. */
  retry: {
    taught: {
      names: "retry",
      also: "재시도",
      example: "`retry: continue`",
      effect:
        "goes on with what the attempt before left; else a retry [starts clean](worktrees.md#what-a-failed-attempt-leaves)",
    },
    names: "retry onretry 재시도",
    value: "choice",
    choices: { continue: "continue", 계속: "continue", clean: "clean", 새로: "clean" },
  },
  /** Who reviews its work instead of the project's reviewer, by the name of an agent; `no`: nobody. */
  review: {
    taught: {
      names: "review",
      example: "`review: no`",
      effect:
        "`no`, or the agent that [reviews](worktrees.md#review-before-landing) its work instead of the project's reviewer",
    },
    names: "review",
    value: "reviewer",
  },
  /** Agents that work on it at once, of which the first whose work is proved lands. */
  tries: {
    taught: {
      names: "tries",
      also: "동시 시도",
      example: "`tries: 2`",
      effect:
        "so many agents (5 at most) work on it [at once](running.md#several-agents-on-one-task); the first whose work is proved lands",
    },
    names: "tries 동시시도",
    value: "count",
    most: MOST_TRIES,
  },
  /** What a machine must have that works on it. */
  machine: {
    taught: {
      names: "machine",
      also: "머신",
      example: "`machine: [gpu, arch=arm64]`",
      effect:
        "on [many machines](many-machines.md#which-machine-takes-what), only one with each of these labels takes it; a machine's name is one of them",
    },
    names: "machine 머신",
    value: "names",
    goesOn: true,
  },
  /** What it was imported from, as `github:42`: where its status goes back to. */
  origin: {
    taught: {
      names: "origin",
      example: "`origin: github:42`",
      effect: "where [`espalier export`](import.md) takes its state",
    },
    names: "origin",
    value: "name",
  },
  worktree: {
    taught: { names: "worktree", also: "워크트리", example: "`worktree: worktree/phase-1`", effect: "kept" },
    names: "worktree worktree경로 gitworktree gitworktree설정 worktree설정 워크트리",
    value: "folder",
    goesOn: true,
    isCode: true,
    inYaml: true,
    inRow: true,
    marksTask: true,
  },
  status: {
    taught: {
      names: "status",
      also: "상태, 状态",
      example: "`status: done`",
      effect: "the state where there is no box",
    },
    names:
      "status state progress 상태 진행상태 진행상황 진행률 진척률 진척도 완료 완료여부 완료상태 done completed 状態 ステータス 进度 状态",
    inRow: true,
    marksTask: true,
  },
  criteria: {
    taught: {
      names: "acceptance",
      also: "완료 조건, 验收标准",
      example: "boxes below it",
      effect: "criteria",
    },
    names:
      "acceptance acceptancecriteria criteria donewhen definitionofdone dod 완료조건 완료기준 인수조건 수용기준 검증항목 체크리스트 受け入れ条件 受入基準 完了条件 验收标准 完成条件",
    marksTask: true,
  },
  feature: {
    names: "feature featurebranch",
  },
  project: {
    names: "project projectname 프로젝트명 프로젝트 프로젝트이름",
  },
} as const satisfies Readonly<Record<string, FieldRow>>;

type Fields = typeof FIELDS;

/** What a field says, whatever language its name is written in. */
export type FieldKey = keyof Fields;

/** A field whose value stands in the plan. */
export type ValueKey = {
  [K in FieldKey]: Fields[K] extends { readonly value: ValueKind } ? K : never;
}[FieldKey];

type ValueOf<Row> = Row extends { readonly choices: Readonly<Record<string, infer Choice>> }
  ? Choice
  : Row extends { readonly value: infer Kind extends ValueKind }
    ? ValueKinds[Kind]
    : never;

type Always = { readonly always: true };

/** The parts of a task that its fields say. */
export type TaskValues = {
  readonly [K in keyof Fields as Fields[K] extends Always ? K : never]: ValueOf<Fields[K]>;
} & {
  readonly [K in keyof Fields as K extends ValueKey
    ? Fields[K] extends Always
      ? never
      : K
    : never]?: ValueOf<Fields[K]>;
};

/** Every row with its key, in the order of the table. */
export const ROWS = Object.entries(FIELDS) as readonly (readonly [FieldKey, FieldRow])[];

/** The rows whose values stand in the plan, in the order of the table. */
export const VALUED = ROWS.filter((row): row is readonly [ValueKey, Valued] => row[1].value !== undefined);

function keysThat(holds: (row: FieldRow) => boolean | undefined): ReadonlySet<FieldKey> {
  return new Set(ROWS.flatMap(([key, row]) => (holds(row) === true ? [key] : [])));
}

export const GOES_ON: ReadonlySet<FieldKey> = keysThat(row => row.goesOn);
export const COMMANDS: ReadonlySet<FieldKey> = keysThat(row => row.value === "command");
export const CODE: ReadonlySet<FieldKey> = keysThat(row => row.isCode);
export const IN_YAML: ReadonlySet<FieldKey> = keysThat(row => row.inYaml);
export const IN_ROW: ReadonlySet<FieldKey> = keysThat(row => row.inRow);
export const IN_TITLE: ReadonlySet<FieldKey> = keysThat(row => row.inTitle);
export const MARKS_TASK: ReadonlySet<FieldKey> = keysThat(row => row.marksTask);

/** The names of a field that the pages teach. */
export function taughtNames({ taught }: FieldRow): readonly string[] {
  return taught?.names.split(" ") ?? [];
}

/** The names that the pages teach, one by one. */
export const TAUGHT: readonly string[] = ROWS.flatMap(([, row]) => taughtNames(row));

/** The name under which we write a field. */
export function fieldName(key: FieldKey): string {
  return taughtNames(FIELDS[key])[0] ?? key;
}

/** The rows of the table in the page about task files: name, other names, example, effect. */
export function fieldTable(): readonly (readonly string[])[] {
  return ROWS.flatMap(([key, { taught }]) =>
    taught === undefined ? [] : [[`\`${fieldName(key)}\``, taught.also ?? "", taught.example, taught.effect]],
  );
}
