import type { KnownCopy, Stranger, UnderWay } from "../../ports/index.ts";
import { particle, withParticle } from "../particle.ts";
import { KOREAN_CALLS } from "./calls-korean.ts";
import { listing, type RefusalCatalogue } from "./catalogue.ts";
import { KOREAN_HUB } from "./hub-korean.ts";

const some = listing(more => ` 외 ${more}개`);

const BEGUN: Readonly<Record<UnderWay, string>> = {
  merge: "병합(merge)",
  rebase: "리베이스(rebase)",
  "cherry-pick": "체리픽(cherry-pick)",
  revert: "되돌리기(revert)",
  bisect: "이분 탐색(bisect)",
};

const ALTERNATIVE = {
  move: "다른 곳으로 옮기세요",
  rename: "폴더 이름을 바꾸세요",
  "unset-worktree": "설정 지우기: git config --unset core.worktree",
  init: "저장소 만들기: git init",
  commit: "첫 커밋을 만드세요",
  end: "끝내거나 취소하세요",
  "put-away": "커밋하거나 치워 두세요",
  restore: ".git을 되돌려 놓으세요(단계의 폴더에는 파일이 그대로 있습니다)",
} as const;

/** A run that a hub has, with whose it is where that is known. */
function copyWords({ run, host, file = "", at = 0 }: KnownCopy): string {
  if (host === undefined) return run;
  return `${run} (${file}, 머신 ${host}, ${new Date(at).toISOString().slice(0, 19)}Z 시점)`;
}

/** What stands where a file or folder of ours should. */
function stranger(found: Stranger, count: number): string {
  const words: Readonly<Record<Stranger, string>> = {
    link: "심볼릭 링크입니다",
    "no-file": "일반 파일이 아닙니다",
    "no-folder": "폴더가 아닙니다",
    "another-folder": "그사이 다른 폴더로 바뀌었습니다",
    "another-users": "다른 사용자의 것입니다",
    "linked-elsewhere": `하드 링크가 ${count}개인 파일이며 그 일부는 여기에 없습니다`,
    "filled-lock": `Espalier의 잠금 파일이 아닙니다: 비어 있어야 하는데 ${count}바이트가 들어 있습니다`,
    "beside-lock": "Espalier의 파일이 아닙니다: 잠금 파일에는 곁에 딸린 파일이 없습니다",
    "foreign-journal": "다른 파일을 가리키는 저널입니다",
  };
  return words[found];
}

/** Why a command does nothing, and what to do about it, in Korean. */
export const KOREAN_REFUSALS: RefusalCatalogue = {
  ...KOREAN_CALLS,
  ...KOREAN_HUB,
  "project-held": ({ by }) => {
    if (by === undefined) return "다른 프로세스가 잡고 있으며, 누구인지 아직 알 수 없습니다";
    const { pid, host, cwd, since, isStopped } = by;
    const from = since === undefined ? "시작 시각 알 수 없음" : `${since}부터`;
    const sentence = `프로세스 ${withParticle(pid, "이/가")} 잡고 있음 (${host}, ${cwd}, ${from})`;
    if (!isStopped) return sentence;
    return `${sentence}; 정지된 상태입니다. 계속하려면 "kill -CONT ${pid}", 끝내려면 "kill -KILL ${pid}"`;
  },
  "taken-over": ({ name, host }) =>
    `${host === "" ? "다른 프로세스" : `${name} (${host})`} 쪽에서 이 실행을 이어받았습니다; 이 프로세스는 멈췄고 더는 아무것도 바꾸지 않았습니다`,
  "conducted-elsewhere": () =>
    "이 폴더 다음으로 다른 머신이 이 실행을 이끌어, 그 머신이 한 일을 여기서는 모릅니다. 아무것도 시작하지 않았습니다",
  "copy-old": () =>
    "사본을 여기로 가져온 뒤에 다른 머신이 실행을 더 진행해, 그 머신이 한 일을 여기서는 모릅니다. 아무것도 시작하지 않았습니다",
  "no-copy": ({ url, run }) =>
    run === undefined ? `${url}에 이 저장소의 실행이 없습니다` : `${url}에 이 저장소의 실행 ${run}: 없습니다`,
  "take-over-needs-hub": () =>
    "--take-over는 허브에서 실행을 이어받습니다. 허브를 지정하세요: espalier resume --take-over --on URL",
  "several-copies": ({ runs }) =>
    `허브에 이 저장소의 실행이 여럿 있습니다: ${runs.map(copyWords).join(", ")}`,
  "run-left": ({ url, ...copy }) =>
    `허브에 이 태스크 파일의 완료되지 않고 끝난 실행이 있습니다: ${copyWords(copy)}; 이어서 진행하려면: espalier resume --take-over ${copy.run} --on ${url}`,
  "run-elsewhere": copy =>
    `허브에 이 태스크 파일의 끝나지 않은 실행이 있어 같은 일을 두 번 하게 됩니다: ${copyWords(copy)}`,
  "copy-unreadable": ({ run }) => `실행 ${run}의 사본은 다른 버전의 espalier가 만들었습니다`,
  "copy-elsewhere": ({ folder, here }) =>
    `이 실행은 저장소의 ${folder === "" ? "최상위 폴더" : folder} 것이고, 여기는 ${here === "" ? "최상위 폴더" : here}입니다`,
  "run-here": ({ file }) => `이 폴더에는 아직 끝나지 않은 ${file} 실행이 있습니다`,
  "branch-differs": ({ branch, commit }) =>
    `여기의 ${branch} 브랜치에는 실행에 없는 커밋이 있고, 실행의 ${commit.slice(0, 12)}에 있는 것 일부가 없습니다`,
  "folder-held": ({ branch, folder, why }, tell) =>
    `${folder}에 체크아웃된 ${branch} 브랜치를 실행의 위치까지 옮길 수 없습니다: ${tell(why)}`,
  "target-differs": ({ target, here }) =>
    `이 실행의 끝난 단계는 ${target} 브랜치로 가는데, 여기에는 ${here} 브랜치가 체크아웃되어 있어 그쪽으로 가게 됩니다`,
  "hub-needs-git": () => "작업은 git으로 다른 머신에 가는데, 이 폴더는 커밋이 있는 저장소 안에 있지 않습니다",
  "hub-token-unset": () => "ESPALIER_HUB_TOKEN이 설정되지 않았습니다",
  "hub-not-known": () =>
    "이 실행을 허브에 맡긴 기록이 여기에 없습니다. espalier resume --on URL로 맡길 수 있습니다",
  fenced: ({ stored, ours }) =>
    `다른 프로세스가 이어받았습니다 (에포크 ${stored}, 이 프로세스는 ${ours}); 이 프로세스는 멈췄고 더는 기록하지 않았습니다`,
  "disk-full": ({ said }) => `${said}. 이미 확인된 것은 모두 안전합니다`,
  "not-printed": ({ said }) => `출력한 것 가운데 일부를 쓰지 못했습니다: ${said}`,
  "state-newer": ({ found, supported }) =>
    `더 새로운 버전이 만든 상태입니다 (형식 ${found}; 이 버전은 ${supported}까지 읽음). 건드리지 않았습니다`,
  "state-damaged": ({ said, kept }) =>
    `${said}${kept === undefined ? "" : `; ${withParticle(kept, "으로/로")} 보관함`}`,
  "state-foreign": ({ found, expected }) => `이 상태는 ${found}의 것이고, 여기는 ${expected}입니다`,
  "state-unsealed": ({ isOfAnother }) =>
    `${isOfAnother ? "여기에 없는 키로 봉인된 상태입니다" : "봉인이 없는 상태입니다"}: 이전 버전, 다른 컴퓨터나 홈, 또는 다른 누군가가 썼습니다`,
  "state-set-back": ({ event }) =>
    event === undefined
      ? "상태의 행이 마지막으로 쓴 것보다 오래되었거나 없습니다: 누군가 이전 행을 되돌렸거나 일부를 뺐습니다"
      : `상태가 마지막으로 확인된 것(이벤트 ${event})보다 오래되었습니다: 누군가 이전 사본을 그 자리에 놓았습니다`,
  "key-unreadable": ({ said }) => `상태를 봉인한 키를 열 수 없습니다: ${said}`,
  "boxes-unproven": ({ ticked, proven, unproven, more }) =>
    proven === 0
      ? `상태를 복구할 수 없고, 태스크 파일의 체크 ${ticked}개를 증명하는 것이 없습니다`
      : `상태를 복구할 수 없습니다: 체크 ${proven}개는 커밋이 증명하고, ${ticked - proven}개는 증명되지 않습니다 (${unproven.join(", ")}${more ? " …" : ""})`,
  "no-run": ({ root }) => `${root}에는 아직 실행이 없습니다`,
  "no-answer": ({ pid, isStopped = false }) =>
    `프로세스 ${withParticle(pid, "이/가")} 잡고 있지만 ${isStopped ? "정지되어 있어 아무것도 듣지 못합니다" : "응답하지 않습니다"}`,
  "run-silent": ({ stopped }) =>
    stopped === undefined
      ? "실행 중인 프로세스가 응답하지 않습니다. 다시 시도하세요. 무엇을 하고 있는지는 espalier status가 보여 줍니다"
      : `실행을 맡은 프로세스 ${withParticle(stopped, "이/가")} 정지되어 있어 아무것도 듣지 못합니다. kill -CONT ${stopped} 명령으로 계속하게 하세요`,
  "nothing-runs": () => "여기서 실행 중인 것이 없습니다",
  stopped: () => "중지했습니다; 이어서 실행하기: espalier resume",
  "still-ending": ({ pid }) => `프로세스 ${withParticle(pid, "이/가")} 아직 에이전트를 종료하는 중입니다`,
  "kill-it": ({ pid, isStopped = false }) =>
    `${isStopped ? `kill -CONT ${pid} 명령으로 계속하게 한 뒤 espalier stop으로 끝내거나` : `kill -TERM ${pid} 명령으로 중지를 요청하거나`} kill -KILL ${pid} 명령으로 끝내세요. 이미 확인된 것은 잃지 않습니다`,
  "take-it-over": ({ url }) =>
    `여기로 가져오세요: espalier resume --take-over --on ${url}. --trust-state를 쓰면 이 폴더가 아는 상태로 이어 가고, 그 뒤에 한 일은 다시 합니다`,
  "copies-are": ({ runs }) =>
    runs.length === 0
      ? "실행은 --on으로 진행할 때부터 마지막 사본 뒤 30일까지 허브에 사본을 둡니다"
      : `있는 실행: ${runs.join(", ")}`,
  "name-copy": ({ url }) => `하나를 지정하세요: espalier resume --take-over RUN --on ${url}`,
  "take-over-or-begin": ({ run, url }) =>
    `여기서 이어서 진행하려면: espalier resume --take-over ${run} --on ${url}. 그 옆에 새로 시작하려면 --trust-state`,
  "same-version": () => "그 실행을 진행한 버전으로 이어받으세요",
  "go-to-folder": ({ folder }) => `${folder === "" ? "저장소의 최상위 폴더" : folder}에서 실행하세요`,
  "finish-run-here": () => "먼저 그 실행을 끝내거나, 따로 만든 클론에서 이어받으세요",
  "join-branch": ({ branch, commit, isTarget }) =>
    isTarget
      ? `먼저 둘을 합치세요: git merge ${commit.slice(0, 12)}`
      : `먼저 여기 것의 이름을 바꾸세요: git branch -m ${branch} ${branch}-before`,
  "clear-folder": () =>
    "아무것도 바꾸지 않았습니다. 이 파일들을 커밋하거나 옮긴 뒤 같은 명령을 다시 실행하세요",
  "check-out-target": ({ target, commit }) =>
    `git checkout ${commit === undefined ? target : `-b ${target} ${commit.slice(0, 12)}`}, 다른 브랜치로 보내려면 espalier.yaml에 git: { target: NAME }`,
  "clone-or-init": () =>
    "실행을 이어 가려면 그 저장소를 git clone하고, 새 실행이면 git init 뒤 커밋하거나 --on을 빼세요",
  "ask-for-token": () => "허브를 관리하는 사람이 토큰을 만듭니다: espalier hub token add NAME --run",
  "go-on-there": ({ host }) =>
    `${host === "" ? "그쪽" : host}에서 계속하세요; 여기서 espalier resume --take-over를 실행하면 실행을 되찾아 옵니다`,
  "see-status": () => "계속되는 실행 보기: espalier status",
  "make-room": () => "공간을 확보한 뒤: espalier resume",
  "make-writable": ({ path }) =>
    path === undefined
      ? "상태 폴더를 쓸 수 있게 하거나 espalier.yaml에 stateDir을 지정하세요"
      : `${withParticle(path, "을/를")} 쓸 수 있게 하거나 espalier.yaml에 stateDir을 지정하세요; 아무것도 시작하지 않았습니다`,
  "came-with-repository": () =>
    "아무것도 시작하지 않았습니다: 저장소와 함께 온 것은 Espalier의 것으로 인정하지 않습니다",
  "update-program": () => "espalier를 업데이트하세요",
  "see-doctor": ({ of }) =>
    of === "state" ? "복구할 수 있는 것 보기: espalier doctor" : "저장소 살펴보기: espalier doctor",
  "doctor-says-why": () => "espalier doctor가 이유를 알려 줍니다",
  "state-gone": () => "실행 중에 상태 폴더가 지워지거나 바뀌어 에이전트를 끝냈습니다",
  "state-back": () =>
    "되돌려 놓은 뒤: espalier resume; git clean -x 등으로 아주 없어졌으면: espalier run --trust-boxes (태스크 파일의 체크를 믿음)",
  "check-disk": () => "디스크를 확인한 뒤: espalier resume",
  "adopt-state": () =>
    "폴더를 옮긴 것이라면 espalier resume --adopt로 상태를 이어받으세요. 아니면 상태 폴더를 다른 곳으로 옮기세요",
  "trust-state": ({ first }) =>
    first === "look"
      ? "espalier status로 살펴보세요; espalier resume --trust-state는 있는 그대로 믿습니다. 아니면 상태 폴더를 다른 곳으로 옮기세요"
      : "나중 것을 되돌려 놓으세요; espalier resume --trust-state는 이것을 있는 그대로 믿습니다",
  "make-private": ({ folder }) =>
    `${withParticle(folder, "을/를")} 본인만 쓸 수 있게 하세요 (chmod 700); espalier resume --trust-state는 상태를 있는 그대로 믿습니다`,
  "trust-boxes": ({ isKept }) =>
    `espalier run --trust-boxes로 믿거나, 다시 해야 할 것의 체크를 푸세요${isKept === true ? "; 손상된 파일은 상태 폴더에 보관되어 있습니다" : ""}`,
  "run-starts-one": ({ url }) =>
    `시작하기: espalier run${url === undefined ? "" : `. 다른 머신이 진행하던 실행을 여기서 이어 가려면: espalier resume --take-over --on ${url}`}`,

  "no-git": () => "git이 없습니다",
  "git-too-old": ({ found, needed }) => `git ${withParticle(found, "은/는")} ${needed}보다 오래되었습니다`,
  "program-unnamed": ({ name }) => `git 설정에 UTF-8 텍스트가 아닌 이름의 프로그램이 있습니다: ${name}`,
  "line-break-in-path": ({ folder }) =>
    `저장소 경로에 줄바꿈이 있습니다 (${folder}). git은 워크트리를 한 줄에 하나씩 알려 줍니다`,
  "worktree-leads-away": ({ top }) =>
    `core.worktree가 git을 이 체크아웃 밖의 ${withParticle(top, "으로/로")} 이끕니다`,
  "ref-unreadable": ({ ref }) => `${withParticle(ref, "이/가")} 가리키는 것을 읽을 수 없습니다`,
  "target-deleted": ({ branch }) =>
    `이 실행의 대상이며 체크아웃된 브랜치 ${withParticle(branch, "이/가")} 삭제되었습니다`,
  "run-without-repository": ({ root }) =>
    `이 실행이 합친 것은 git 저장소에 있는데, ${root}에 더는 저장소가 없습니다`,
  "no-commits": () => "이 저장소에는 아직 커밋이 없습니다",
  "under-way": ({ what }) => `메인 체크아웃에서 ${withParticle(BEGUN[what], "이/가")} 진행 중입니다`,
  "landed-unreadable": ({ why }, tell) => `합쳐진 것을 읽을 수 없습니다: ${tell(why)}`,
  "landing-unknown": ({ task, root }) =>
    `프로세스가 종료될 때 ${withParticle(task, "을/를")} 합치는 중이었는데, ${root}에는 물어볼 git이나 저장소가 없습니다`,
  "repository-unmended": ({ why }, tell) => `저장소를 복구할 수 없습니다: ${tell(why)}`,
  "place-inside-checkout": ({ path }) => `git.folder가 체크아웃 안에 있습니다: ${path}`,
  "place-unwritable": ({ folder }) => `워크트리를 둘 ${folder}에 쓸 수 없습니다`,
  "first-phase-elsewhere": ({ branch }) =>
    `단계 0은 ${branch}에서 작업하는데, 그 브랜치가 체크아웃되어 있지 않습니다`,
  "first-phase-here": ({ branch }) =>
    `단계 0은 이 체크아웃에서 작업하며 결과를 ${branch}에 커밋합니다. 다음 단계부터는 저마다 브랜치가 있습니다`,
  "target-stays": ({ target }) =>
    `끝난 단계는 실행을 시작할 때 체크아웃되어 있던 ${target}에 병합합니다. 다른 브랜치는 espalier.yaml의 git: { target: … }로 지정하세요`,
  "target-gone": ({ begun, target }) =>
    `실행을 시작한 브랜치 ${withParticle(begun, "이/가")} 더는 없어서, 끝난 단계는 ${target}에 병합합니다`,
  "checkout-changed": ({ files }) =>
    `단계 0은 메인 체크아웃에 커밋하는데, 그곳에 다른 변경이 있습니다: ${some(files)}`,
  "no-worktrees": ({ root }) => `${root}에서는 워크트리를 쓰지 않습니다`,
  "install-git": ({ version }) =>
    version === undefined
      ? "git을 설치하거나 git: { worktrees: off }로 설정하세요"
      : `git ${withParticle(version, "을/를")} 설치하세요. 모든 태스크를 메인 체크아웃에서 실행하려면 espalier.yaml에 git: { worktrees: off }`,
  "rename-it": () => "보여 줄 수도 끌 수도 없습니다: 이름을 바꾸세요",
  "worktrees-off": ({ or }) => {
    const off = "모든 태스크를 메인 체크아웃에서 실행하려면 espalier.yaml에 git: { worktrees: off }";
    return or === undefined ? off : `${ALTERNATIVE[or]}. ${off}`;
  },
  "own-it": ({ folder }) => `믿을 수 있다면: git config --global --add safe.directory ${folder}`,
  "name-worktree": ({ command }) =>
    `직접 만들었다면(git init --separate-git-dir): ${command}; 아니라면 다른 곳으로 옮기세요`,
  "put-branch-back": ({ branch, last }) =>
    `합쳐진 것과 함께 되돌린 뒤 계속하세요: git update-ref refs/heads/${branch} ${last ?? "COMMIT"}`,
  "put-ref-back": ({ ref }) =>
    `가리켰던 커밋은 git reflog에 있습니다; 되돌리기: git update-ref ${ref} COMMIT`,
  "mend-repository": ({ by }) =>
    by === "git"
      ? "아무것도 시작하지 않았습니다; PATH에 git을 두거나 저장소를 고치세요"
      : by === "doctor"
        ? "아무것도 시작하지 않았습니다; 저장소를 고치거나 espalier doctor로 살펴보세요"
        : "아무것도 시작하지 않았습니다; 없는 것 보기: git fsck",
  "choose-place": ({ state }) => `체크아웃 옆이나 ${state}/ 아래의 폴더를 고르세요`,
  "make-place-writable": ({ folder }) => `쓸 수 있게 하거나 git: { folder: "${folder}" }로 설정하세요`,
  "switch-branch": ({ branch }) => `git switch ${branch}`,
  "worktrees-need": () => "커밋이 있는 git 저장소와 git: { worktrees: auto }가 필요합니다",

  "plan-changed": ({ file, added, removed, changed }) => {
    const counted = [
      [added, "추가"],
      [removed, "제거"],
      [changed, "변경"],
    ] as const;
    const parts = counted.flatMap(([tasks, what]) => {
      const count = tasks.names.length + tasks.more;
      return count === 0 ? [] : [`${count}개 ${what} (${some(tasks)})`];
    });
    return `실행이 읽은 뒤 ${withParticle(file, "이/가")} 바뀌었습니다: ${parts.join(", ")}`;
  },
  "only-unknown": ({ task }) => `--only의 ${withParticle(task, "이/가")} 계획에 없습니다`,
  "only-needs": ({ task, needs }) =>
    `--only ${task}에는 ${withParticle(needs.join(", "), "이/가")} 먼저 필요합니다`,
  "force-unknown": ({ phase }) => `--force-phase의 ${withParticle(phase, "은/는")} 계획에 없는 단계입니다`,
  "not-owned": ({ path, found, count = 0 }) =>
    `${withParticle(path, "은/는")} ${stranger(found, count)}. 읽지도 쓰지도 않으니 다른 곳으로 옮기세요`,
  "state-place": ({ named, tools }) =>
    tools === undefined
      ? `stateDir "${named}"${particle(named, "은/는")} 프로젝트 안의 폴더가 아닙니다`
      : `stateDir "${named}"${particle(named, "이/가")} 다른 도구가 설정과 프로그램을 찾는 ${tools} 안에 있습니다`,
  "tasks-outside-project": ({ file, real }) =>
    `태스크 파일 ${withParticle(file, "이/가")} 프로젝트 밖에 있습니다: ${real}`,
  "put-file-back": () => "파일을 되돌리거나, --plan frozen을 빼면 맞춰 갑니다",
  "plan-lists": () => "태스크 목록 보기: espalier plan",
  "add-to-only": ({ tasks }) => `--only에 ${withParticle(tasks.join(","), "을/를")} 더하세요`,
  "phases-are": ({ labels, nearest }) =>
    `계획의 단계: ${labels.join(", ")}${nearest === undefined ? "" : `; ${withParticle(nearest, "을/를")} 뜻했나요?`}`,
  "choose-state-place": ({ isTools }) =>
    isTools
      ? ".espalier, .claude 또는 이름이 점으로 시작하지 않는 폴더를 고르세요"
      : ".espalier나 .claude 같은 상대 경로를 고르세요",
  "could-lead-out": () => "저장소와 함께 온 것이 상태와 그곳에 쓰는 것을 프로젝트 밖으로 이끌 수 있습니다",
  "name-it-yourself": () => "실행할 파일이 맞다면 명령줄에 직접 지정하세요",

  "not-in-progress": ({ task }) => `${withParticle(task, "은/는")} 여기서 진행 중이 아닙니다`,
  "foreign-signal": ({ said }) =>
    `"${said}"${particle(said, "은/는")} 이 시도의 신호가 아닙니다; 아무것도 바뀌지 않았습니다`,
  "window-full": ({ face }) =>
    face === "tools"
      ? "새 세션을 시작하세요: new_session true로 next_tasks"
      : "새 세션을 시작한 뒤: espalier next --new-session",
  "ask-next": ({ face }) => `준비된 태스크 보기: ${face === "tools" ? "next_tasks" : "espalier next"}`,
  "start-task": ({ task, face }) =>
    face === "tools" ? `id ${withParticle(task, "으로/로")} start_task` : `espalier start ${task}`,
  "started-before": ({ path }) =>
    `프롬프트: ${path}; 맡은 에이전트가 사라졌으면 다른 에이전트에게 이 파일을 주세요`,
  "raise-budget": ({ face }) =>
    `예산 늘리기: espalier ${face === "tools" ? "mcp" : "next"} --max-tokens N (또는 --max-cost USD)`,
  "hand-in-whole": () => "에이전트의 마지막 줄을 그대로 제출하세요",
  "hand-in-document": ({ face }) =>
    `프롬프트에 적힌 파일에 에이전트가 씁니다${face === "tools" ? "" : ". 또는: espalier report … --result FILE"}`,
};
