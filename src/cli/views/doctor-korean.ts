import { inOtherWords, type Phrases } from "../../text/index.ts";
import type { DoctorWords } from "./doctor-words.ts";
import { repositoryWords } from "./repository-words.ts";

const NAMES: Readonly<Record<string, string>> = {
  project: "프로젝트",
  jail: "격리",
  lock: "잠금",
  state: "상태",
  disk: "디스크",
  worktrees: "워크트리",
  worktree: "워크트리",
  repository: "저장소",
  leftover: "남은 것",
  mended: "복구함",
};

const OFF = "모든 태스크를 메인 체크아웃에서 실행하려면 espalier.yaml에 git: { worktrees: off }";

/** Sentences of the adapters, which know no language of a person's. */
const SAID: Phrases = [
  ["program sh not found: PATH names no folder to search", "sh 프로그램 없음: PATH에 찾아볼 폴더가 없습니다"],
  ["program sh not found: searched {0}", "sh 프로그램 없음, 찾아본 곳: {0}"],
  [
    "bubblewrap is not installed (Debian and Ubuntu: apt install bubblewrap)",
    "bubblewrap이 설치되어 있지 않습니다 (Debian, Ubuntu: apt install bubblewrap)",
  ],
  ["bubblewrap does not work here: {0}", "여기서는 bubblewrap이 동작하지 않습니다: {0}"],

  [
    "shallow clone: history before its first commit is not there",
    "얕은 클론: 첫 커밋 이전의 이력이 없습니다",
  ],
  [
    "submodules stay empty in new worktrees; worktree.setup: [git submodule update --init] fills them",
    "새 워크트리에서는 서브모듈이 비어 있습니다; worktree.setup: [git submodule update --init](으)로 채울 수 있습니다",
  ],
  [
    "Git LFS: large files come from its filter, and only if it is installed for you",
    "Git LFS: 큰 파일은 LFS 필터에서 오며, 설치되어 있어야만 받습니다",
  ],
  [
    "sparse checkout: new worktrees take over its patterns",
    "스파스 체크아웃: 새 워크트리가 그 패턴을 따릅니다",
  ],
  [
    "names differ by more than their case: branches and folders are lower-case",
    "이름은 대소문자 외에도 달라야 합니다: 브랜치와 폴더는 소문자입니다",
  ],
  ["no branch is checked out (detached HEAD)", "체크아웃된 브랜치가 없습니다 (detached HEAD)"],
  [
    "check out a branch, name one with git: { target: … }, or let all tasks work in the main checkout: git: { worktrees: off } in espalier.yaml",
    `브랜치를 체크아웃하거나 git: { target: … }(으)로 지정하세요. ${OFF}`,
  ],
  ["this repository is bare: it has no files to work on", "bare 저장소라서 작업할 파일이 없습니다"],
  ["clone it", "클론하세요"],
  ["no task file in {0}; looked at {1}", "태스크 파일이 없습니다: {0}; 찾아본 곳: {1}"],
  ["no task file at {0}", "태스크 파일이 없습니다: {0}"],
  ["tasks: in espalier.yaml names it", "espalier.yaml의 tasks:에 적혀 있습니다"],
  ["name one: espalier plan path/to/TASKS.md", "지정하는 방법: espalier plan path/to/TASKS.md"],
  [
    "espalier status shows that run; espalier stop ends it",
    "그 실행 보기: espalier status; 끝내기: espalier stop",
  ],

  ["removed: nobody held it", "제거함: 아무도 잡고 있지 않았습니다"],
  ["removed: nobody had worked there", "제거함: 그곳에서 작업한 것이 없었습니다"],
  [
    "left alone: a git process that may hold it is alive",
    "그대로 둠: 이것을 잡고 있을 수 있는 git 프로세스가 살아 있습니다",
  ],
  [
    'left alone: "espalier phase merge" or "espalier resume" finishes it',
    '그대로 둠: "espalier phase merge" 또는 "espalier resume"이 마무리합니다',
  ],
  ["left alone: {0}", "그대로 둠: {0}"],
  [
    "put back to where its branch is; anything else was saved first",
    "브랜치가 가리키는 상태로 되돌렸습니다; 나머지는 먼저 저장해 두었습니다",
  ],
];

/** Things that killed processes leave, by their English names. */
const LEFT: Readonly<Record<string, string>> = {
  lock: "잠금 파일",
  "folder half made or half removed": "만들거나 지우다 만 폴더",
  "files half moved": "옮기다 만 파일",
};

const OWN = "에이전트는 자체 옵션과 샌드박스로만 제한됩니다";

/** What `espalier doctor` says, in Korean. */
export const KOREAN_DOCTOR: DoctorWords = {
  name: name => NAMES[name] ?? name.replace(/^agent /, "에이전트 "),
  told: text => inOtherWords(text, SAID),

  noGit: { found: "없음", advice: "태스크는 git 없이도 실행됩니다. 워크트리에는 필요합니다" },
  git: (version, isRepository) =>
    `${version}, ${isRepository ? "저장소 안에 있습니다" : "이 폴더는 저장소가 아닙니다"}`,
  gitUnusable: why => `사용할 수 없음: ${why}`,
  project: (root, isConfigured) =>
    `${root}${isConfigured ? ", espalier.yaml 정상" : ", espalier.yaml 없음 (기본값)"}`,
  installShell: "bash 또는 sh를 설치하세요",

  jailUnused: version => ({
    found: `bubblewrap ${version} 있음, 사용하지 않음: ${OWN}`,
    advice: "jail: { use: auto }(으)로 사용합니다",
  }),
  jailed: version => `모든 에이전트를 bubblewrap ${version} 안에서 실행`,
  jailRequired: "이것 없이는 실행을 시작하지 않습니다",
  noJail: why => `${why}: ${OWN}`,

  held(living) {
    if (living === undefined) return "다른 프로세스가 잡고 있으며, 누구인지 아직 알 수 없습니다";
    const { pid, host, cwd, startedAt } = living.holder;
    const isKnown = startedAt > 0 && startedAt < 8.64e15;
    const since = isKnown ? `${new Date(startedAt).toISOString()}부터` : "시작 시각 알 수 없음";
    const sentence = `프로세스 ${pid}이(가) 잡고 있음 (${host}, ${cwd}, ${since})`;
    if (living.liveness !== "stopped") return sentence;
    return `${sentence}; 정지된 상태입니다. 계속하려면 "kill -CONT ${pid}", 끝내려면 "kill -KILL ${pid}"`;
  },
  free: "비어 있음",
  noState: "아직 없음",
  sound: kib => `정상, ${kib} KiB`,
  unsound: why => `읽을 수 없음: ${why}`,
  recovers: isBackupSound =>
    isBackupSound
      ? "백업은 정상입니다: espalier resume이 백업에서 복구합니다"
      : "espalier resume이 복구할 수 있는 것을 복구하고 알려 줍니다",
  notWritable: place => ({
    found: `${place}에 쓸 수 없습니다`,
    advice: "쓰기 권한을 주거나 stateDir을 설정하세요",
  }),
  space: mib => `여유 공간 ${mib} MiB`,
  remote: (space, system) => ({
    found: `${space}, ${system}`,
    advice: "NETWORK_FS: 이곳에서는 잠금과 내구성이 보장되지 않습니다",
  }),
  makeRoom: "실행하기 전에 공간을 확보하세요",

  noWorktrees: "사용하지 않음: 커밋이 있는 저장소가 없거나 꺼져 있습니다",
  repository: (version, target) => `git ${version}, Phase는 ${target}에 병합됩니다`,
  notCommitted(begun, files) {
    const words = repositoryWords("ko");
    return begun === undefined ? words.notCommitted(files) : words.begun(begun);
  },
  folderGone: "폴더가 없습니다",
  rescue: "espalier worktrees rescue가 파일을 저장합니다",
  leftover: (what, path) => `${LEFT[what] ?? what}: ${path}`,
  fix: "다음 실행이 복구합니다. 지금 복구하려면 espalier doctor --fix",
};
