import { reasonText, visible, withParticle } from "../../../text/index.ts";
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
  verify: "검증",
  test: "테스트",
  hub: "허브",
  task: "태스크",
  tasks: "태스크 파일",
};

/** Things that killed processes leave, by their English names. */
const LEFT: Readonly<Record<string, string>> = {
  lock: "잠금 파일",
  "folder half made or half removed": "만들거나 지우다 만 폴더",
  "files half moved": "옮기다 만 파일",
};

const OWN = "에이전트는 자체 옵션과 샌드박스로만 제한됩니다";

/** What `espalier doctor` says, in Korean. */
export const KOREAN_DOCTOR: DoctorWords = {
  name: name => NAMES[name] ?? name.replace(/^agent /, "에이전트 ").replace(/^machine /, "머신 "),
  reason: reason => visible(reasonText(reason, "ko"), 1000),
  noShell: path =>
    `sh 프로그램 없음${path === "" ? ": PATH에 찾아볼 폴더가 없습니다" : `, 찾아본 곳: ${path.split(":").join(", ")}`}`,

  noGit: { found: "없음", advice: "태스크는 git 없이도 실행됩니다. 워크트리에는 필요합니다" },
  git: (version, isRepository) =>
    `${version}, ${isRepository ? "저장소 안에 있습니다" : "이 폴더는 저장소가 아닙니다"}`,
  gitUnusable: why => `사용할 수 없음: ${why}`,
  project: (root, isConfigured) =>
    `${root}${isConfigured ? ", espalier.yaml 정상" : ", espalier.yaml 없음 (기본값)"}`,
  installShell: "bash 또는 sh를 설치하세요",

  agentProblem: why => `사용할 수 없음: ${visible(why, 300)}`,
  agentTooOld: (version, needs) =>
    `${withParticle(version, "은/는")} 오래된 버전입니다. ${needs} 이상이 필요합니다`,
  agentLoggedIn: "로그인됨",
  agentLoggedOut: "로그인 안 됨",
  logIn: "한 번 직접 실행해 로그인하거나, 환경 변수에 키를 설정하세요",

  jailUnused: version => ({
    found: `bubblewrap ${version} 있음, 사용하지 않음: ${OWN}`,
    advice: "jail: { use: auto }로 사용합니다",
  }),
  jailed: version => `모든 에이전트를 bubblewrap ${version} 안에서 실행`,
  jailRequired: "이것 없이는 실행을 시작하지 않습니다",
  noJail: why => `${why}: ${OWN}`,

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
  repository: (version, target) => `git ${version}, 단계는 ${target}에 병합됩니다`,
  notCommitted(begun, files) {
    const words = repositoryWords("ko");
    return begun === undefined ? words.notCommitted(files) : words.begun(begun);
  },
  folderGone: "폴더가 없습니다",
  rescue: "espalier worktrees rescue가 파일을 저장합니다",
  notTried: command => `${command}; espalier doctor --try가 태스크와 같은 곳에서 한 번 실행해 봅니다`,
  trying: command => `실행해 보는 중: ${command}`,
  stopped: command => `${command}; 끝나기 전에 중단해 결과를 알 수 없습니다`,
  passes: (command, where) => `${command} 통과 (${where === "worktree" ? "새 워크트리" : "체크아웃"})`,
  setUp: command => `새 워크트리에는 패키지가 없습니다: worktree: { setup: [${JSON.stringify(command)}] }`,
  leftover: (what, path) => `${LEFT[what] ?? what}: ${path}`,
  fix: "다음 실행이 복구합니다. 지금 복구하려면 espalier doctor --fix",

  hub: (url, machines, waiting) =>
    `${url}, 머신 ${machines}대${waiting === 0 ? "" : `, 슬롯을 기다리는 작업 ${waiting}개`}`,
  noMachines: url => ({
    found: `${url}, 이 허브를 위해 일하는 머신이 없습니다`,
    advice: `다른 머신에서: espalier worker start --hub ${url}`,
  }),
  machine(state, silentSeconds, busy, slots, has) {
    const shown = {
      there: "연결됨",
      silent: `${silentSeconds}초 동안 응답 없음`,
      draining: "더 받지 않음",
      full: "디스크가 가득 차 받지 않음",
    };
    return `${shown[state]}, 슬롯 ${slots}개 중 ${busy}개 사용 중: ${has}`;
  },
  tasks: (named, more) => (more > 0 ? `${named} 외 ${more}개` : named),
  lacks: what => `없는 것: ${what}`,
  nobodyTakes: (task, wants) => ({
    found: `${withParticle(task, "을/를")} 맡을 머신이 없습니다. 필요한 것: ${wants}`,
    advice: "머신에 설치하거나 그것을 갖춘 머신을 시작하세요: espalier worker start --label",
  }),
  onlyDrained: (task, machines, command) => ({
    found: `지금 ${withParticle(task, "을/를")} 맡을 머신이 없습니다. 맡을 수 있는 머신은 모두 비우는 중입니다: ${machines}`,
    advice: `다른 머신을 시작하거나 다시 일을 받게 하세요: ${command}`,
  }),
};
