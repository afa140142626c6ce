import type { OneFolder } from "../../../ports/index.ts";
import type { Locale } from "../../../text/index.ts";
import { particle, withParticle } from "../../../text/index.ts";

/** What a test command was found by. */
export type TestSign =
  | "package.json"
  | "Cargo.toml"
  | "go.mod"
  | "pom.xml"
  | "gradle"
  | "python"
  | "Makefile";

/** Settings that are proposed where something was found for them. */
export type Proposal = "tasks" | "permissions" | "verify" | "generated" | "jail" | "maxGap";

/** What `espalier init` says, in one language. Arguments are already safe to show. */
export interface InitWords {
  readonly locale: Locale;
  readonly labels: Readonly<
    Record<"project" | "tasks" | "others" | "agents" | "test" | "jail" | "git", string>
  >;
  /** Of a project: it is the main checkout of the linked worktree that a person stands in. */
  readonly ofLinked: string;
  readonly noTasks: string;
  readonly none: string;
  readonly noJail: string;
  readonly found: Readonly<Record<TestSign, string>>;
  /** Tasks would all work in one folder. */
  readonly oneFolder: Readonly<Record<OneFolder, string>>;
  readonly askGit: string;
  readonly madeGit: string;
  readonly gitFailed: (said: string) => string;
  readonly askWrite: string;
  readonly askTry: (command: string) => string;
  readonly askTools: (client: string) => string;
  readonly toolsFor: (client: string) => string;
  readonly trying: (commands: readonly string[]) => string;
  readonly wrote: string;
  /** A question was left before anything was written. */
  readonly left: string;
  readonly stays: string;
  readonly triedByDoctor: string;
  /** The test command was seen to pass. */
  readonly verifyOn: (command: string) => string;
  readonly verifyOff: (why: string | undefined) => string;
  /** Agents that may run what fits a pattern without asking. */
  readonly mayTest: (names: readonly string[], pattern: string) => string;
  readonly next: (tasks: string) => string;
  /** Above what is proposed, and why each of it is. */
  readonly proposed: string;
  readonly why: Readonly<Record<Proposal, string>>;
  /** Where there is no task file: one task in the person's words, and the command that does it where no agent is here. */
  readonly askTask: string;
  readonly askCommand: string;
  readonly firstPhase: string;
  /** The command that was typed is none in a task file. */
  readonly noTask: string;
  readonly writeTasks: readonly string[];
  readonly needsAgent: (task: string) => string;
  readonly askRun: (task: string, title: string) => string;
  readonly runFirst: (line: string) => string;
}

const ENGLISH: InitWords = {
  locale: "en",
  labels: {
    project: "project     ",
    tasks: "task file   ",
    others: "also there:",
    agents: "agents      ",
    test: "test command",
    jail: "jail        ",
    git: "git         ",
  },
  ofLinked: "the main checkout of this linked worktree",
  noTasks: "none found; espalier reads TASKS.md, spec-kit, Kiro and Task Master files",
  none: "none found",
  noJail: "none: ",
  found: {
    "package.json": "package.json has a test script",
    "Cargo.toml": "there is a Cargo.toml",
    "go.mod": "there is a go.mod",
    "pom.xml": "there is a pom.xml",
    gradle: "there is a Gradle build",
    python: "there is a Python project",
    Makefile: "the Makefile has a test target",
  },
  oneFolder: {
    "no-repository":
      "no repository: tasks go out one at a time; after git init and a first commit, each in a folder of its own",
    "no-commits":
      "no commit yet: tasks go out one at a time; after a first commit, each in a folder of its own",
    outside: "the repository does not know this folder: tasks go out one at a time",
    off: "worktrees are off: tasks go out one at a time",
  },
  askGit: "Make this folder a git repository? (git init; you make the first commit)",
  madeGit: 'made a git repository; next: git add -A && git commit -m "Begin"',
  gitFailed: said => `git init failed: ${said}`,
  askWrite: "Write espalier.yaml with this?",
  askTry: command => `Run "${command}" once where tasks will run it, to see that it passes there?`,
  askTools: client => `Connect ${client}, so that it can lead? (writes files that are not there yet)`,
  toolsFor: client => `to lead from ${client}: espalier mcp --setup ${client} --write`,
  trying: commands => `trying ${commands.join(", then ")}`,
  wrote: "wrote espalier.yaml",
  left: "espalier.yaml is not written",
  stays: "espalier.yaml is there already and stays as it is",
  triedByDoctor: "what it sets for verify is tried by espalier doctor --try",
  verifyOn: command => `${command} passes: verify is on`,
  verifyOff: why =>
    `verify stays off: ${why ?? "it was not tried (uncomment it in espalier.yaml, then espalier doctor --try)"}`,
  mayTest: (names, pattern) =>
    `${names.join(", ")} may run ${pattern} unasked, and no other command (agents in espalier.yaml)`,
  next: tasks => `next: espalier plan ${tasks}`,
  proposed: "what espalier.yaml will set, and why:",
  why: {
    tasks: "the file that espalier run takes by itself",
    permissions:
      "agents may run the tests and no other command: who may not cannot tell whether the work is done",
    verify: "proves each task that has no proof of its own; on once it was seen to pass",
    generated: "a lock file that two tasks changed is no conflict: its own tool makes it anew",
    jail: "agents write their own folder and nothing else",
    maxGap: "one delta brings an agent up to date, however many versions of a document it missed",
  },
  askTask: "What should be done first? One sentence (nothing skips this)",
  askCommand:
    "No coding agent is here, so a command has to do it. Which one? (nothing leaves it to an agent)",
  firstPhase: "First",
  noTask: "a task file cannot hold this command; nothing is written",
  writeTasks: [
    "next: write a TASKS.md, for example:",
    "  # My project",
    "  ## Phase 1: First",
    "  ### [ ] T1.1: What is to be done, in words for an agent",
    "  - verify: npm test",
    '  (with a line "- run: COMMAND" a task needs no agent; espalier draft "GOAL" writes a first file)',
    "then: espalier run",
  ],
  needsAgent: task => `${task} is only words, and no coding agent is here:`,
  askRun: (task, title) => `Run one task now? ${task}: ${title}`,
  runFirst: line => `one task first: ${line}`,
};

const KOREAN: InitWords = {
  locale: "ko",
  labels: {
    project: "프로젝트   ",
    tasks: "태스크 파일",
    others: "다른 파일:",
    agents: "에이전트   ",
    test: "테스트 명령",
    jail: "격리       ",
    git: "git        ",
  },
  ofLinked: "이 연결된 워크트리의 메인 체크아웃",
  noTasks: "없음; espalier는 TASKS.md, spec-kit, Kiro, Task Master 파일을 읽습니다",
  none: "없음",
  noJail: "없음: ",
  found: {
    "package.json": "package.json에 test 스크립트가 있음",
    "Cargo.toml": "Cargo.toml이 있음",
    "go.mod": "go.mod가 있음",
    "pom.xml": "pom.xml이 있음",
    gradle: "Gradle 빌드가 있음",
    python: "Python 프로젝트",
    Makefile: "Makefile에 test 타깃이 있음",
  },
  oneFolder: {
    "no-repository":
      "저장소 없음: 태스크를 하나씩 실행합니다. git init과 첫 커밋 뒤에는 각자 자기 폴더에서 실행합니다",
    "no-commits": "아직 커밋 없음: 태스크를 하나씩 실행합니다. 첫 커밋 뒤에는 각자 자기 폴더에서 실행합니다",
    outside: "저장소가 이 폴더를 모릅니다: 태스크를 하나씩 실행합니다",
    off: "워크트리가 꺼져 있음: 태스크를 하나씩 실행합니다",
  },
  askGit: "이 폴더를 git 저장소로 만들까요? (git init; 첫 커밋은 직접 합니다)",
  madeGit: 'git 저장소를 만들었습니다. 다음: git add -A && git commit -m "Begin"',
  gitFailed: said => `git init 실패: ${said}`,
  askWrite: "이 내용으로 espalier.yaml을 쓸까요?",
  askTry: command =>
    `"${command}"${particle(command, "을/를")} 태스크가 실행될 곳에서 한 번 실행해 통과하는지 볼까요?`,
  askTools: client =>
    `${withParticle(client, "이/가")} 리드할 수 있도록 연결할까요? (아직 없는 파일만 씁니다)`,
  toolsFor: client => `${client}에서 리드하기: espalier mcp --setup ${client} --write`,
  trying: commands => `시험: ${commands.join(", 그다음 ")}`,
  wrote: "espalier.yaml을 썼습니다",
  left: "espalier.yaml을 쓰지 않았습니다",
  stays: "espalier.yaml이 이미 있어 그대로 둡니다",
  triedByDoctor: "거기 적힌 verify는 espalier doctor --try로 시험합니다",
  verifyOn: command => `${withParticle(command, "이/가")} 통과했습니다: verify를 켭니다`,
  verifyOff: why =>
    `verify는 꺼 둡니다: ${why ?? "시험하지 않았습니다 (espalier.yaml에서 주석을 푼 뒤 espalier doctor --try)"}`,
  mayTest: (names, pattern) =>
    `명령 가운데 ${pattern} 형태만 묻지 않고 실행할 수 있습니다: ${names.join(", ")} (espalier.yaml의 agents)`,
  next: tasks => `다음: espalier plan ${tasks}`,
  proposed: "espalier.yaml에 적을 것과 그 이유:",
  why: {
    tasks: "espalier run이 스스로 고르는 파일",
    permissions: "에이전트는 테스트만 실행할 수 있습니다. 실행할 수 없으면 일이 끝났는지 알 수 없습니다",
    verify: "자기 증명이 없는 태스크를 증명합니다. 통과하는 것을 본 뒤에 켭니다",
    generated: "두 태스크가 바꾼 잠금 파일은 충돌이 아닙니다. 그 도구가 새로 만듭니다",
    jail: "에이전트는 자기 폴더에만 씁니다",
    maxGap: "문서의 버전을 몇 개 놓쳤든 델타 하나로 따라잡습니다",
  },
  askTask: "무엇을 먼저 할까요? 한 문장으로 (비우면 건너뜁니다)",
  askCommand: "코딩 에이전트가 없어 명령이 대신해야 합니다. 어떤 명령인가요? (비우면 에이전트에게 맡깁니다)",
  firstPhase: "시작",
  noTask: "태스크 파일에 담을 수 없는 명령입니다; 쓰지 않았습니다",
  writeTasks: [
    "다음: TASKS.md를 작성하세요. 예:",
    "  # 내 프로젝트",
    "  ## 단계 1: 시작",
    "  ### [ ] T1.1: 할 일을 에이전트에게 말하듯이",
    "  - verify: npm test",
    '  ("- run: 명령" 줄이 있으면 에이전트가 없어도 됩니다. espalier draft "목표"가 첫 파일을 써 줍니다)',
    "그다음: espalier run",
  ],
  needsAgent: task => `${withParticle(task, "은/는")} 말로만 적혀 있고, 여기에는 코딩 에이전트가 없습니다:`,
  askRun: (task, title) => `태스크 하나를 지금 실행할까요? ${task}: ${title}`,
  runFirst: line => `태스크 하나 먼저: ${line}`,
};

/** The words of a language. */
export function initWords(locale: Locale): InitWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}

/** The language of a task file: that of most of its headings and tasks, for fields and commands are English in all of them. */
export function languageOf(text: string): Locale {
  const titles = text.split("\n").filter(line => line.startsWith("#") || line.includes("[ ]"));
  const korean = titles.filter(line => /[\uac00-\ud7a3]/.test(line));
  return korean.length > 0 && korean.length * 2 >= titles.length ? "ko" : "en";
}
