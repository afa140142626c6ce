import type { Broken, BudgetLeft, BudgetUse, CommandEnd } from "../../ports/index.ts";
import { isoTime } from "../duration.ts";
import { withParticle } from "../particle.ts";
import { shellWord } from "../shell-word.ts";
import { STATUS_WORDS } from "../status-words.ts";
import { KOREAN_AGENTS } from "./agents-korean.ts";
import { KOREAN_ANSWERS, mergeKorean } from "./answers-korean.ts";
import { type Catalogue, dollars, leftShown, listing, parts, whole } from "./catalogue.ts";
import { KOREAN_GIT } from "./git-korean.ts";
import { KOREAN_MACHINES } from "./machines-korean.ts";
import { KOREAN_NEWS } from "./news-korean.ts";
import { AGENT, BLOCK, KEPT, MENDED, NODE, NOTES, ONE_FOLDER, VCS } from "./problems-korean.ts";
import { KOREAN_REFUSALS } from "./refusals-korean.ts";

/** What a state is called, by a name that an earlier version may have given. */
const STATUS: Readonly<Record<string, string>> = STATUS_WORDS.ko;

const some = listing(more => ` 외 ${more}개`);

function used({ tokens, maxTokens, cost, maxCost }: BudgetUse): string {
  return parts(
    ", ",
    maxTokens !== undefined && `${whole(maxTokens)} 토큰 중 ${whole(tokens ?? 0)}`,
    maxCost !== undefined && `${dollars(maxCost)} 중 ${dollars(cost ?? 0)}`,
  );
}

function left({ tasks, tokens, cost, option }: BudgetLeft): string {
  const money = cost > 0 ? `, ${dollars(cost)}` : "";
  return `남은 태스크 ${tasks}개, 약 ${whole(tokens)} 토큰${money} 더 필요; 계속하려면 ${option}`;
}

function broken({ failed, cancelled, blocked, stuck, waits }: Broken): string {
  const why =
    waits === undefined
      ? ""
      : waits.outside
        ? ` (${withParticle(waits.task, "이/가")} 기다리는 ${withParticle(waits.on, "은/는")} 이번 실행의 --only 밖에 있음)`
        : ` (${withParticle(waits.task, "이/가")} ${withParticle(waits.on, "을/를")} 기다림)`;
  return parts(
    "; ",
    failed && `실패: ${some(failed)}`,
    cancelled && `취소: ${some(cancelled)}`,
    blocked && `차단: ${some(blocked)}`,
    stuck && `시작할 태스크가 없음. 준비되지 않은 태스크: ${some(stuck)}${why}`,
  );
}

/** How a command was ended that did not end by itself: at a limit, with everything else, or by a signal. */
function endedBy(killed: string): string {
  const known = killed === "cancelled" || killed === "idle" || killed === "wall-clock";
  return known ? AGENT[killed] : `${withParticle(killed, "으로/로")} 종료됨`;
}

function ended({ exit, killed, said }: CommandEnd): string {
  const how = killed === undefined ? `종료 코드 ${exit ?? "?"}` : endedBy(killed);
  return `${how}${said === "" ? "" : `: ${said}`}`;
}

/** The kernel's killer for want of memory leaves no other trace. */
function starved({ killed, said }: CommandEnd): string {
  return killed === "SIGKILL" && said === "" ? "; 메모리가 부족했을 수 있습니다" : "";
}

/** What a task already is that cannot become it again. */
const ALREADY: Readonly<Record<string, string>> = {
  completed: "완료되었습니다",
  failed: "실패했습니다",
  paused: "일시 중지되었습니다",
  skipped: "건너뛰었습니다",
  blocked: "차단되었습니다",
  cancelled: "취소되었습니다",
};

/** Every reason in Korean. */
export const KOREAN_REASONS: Catalogue = {
  ...KOREAN_REFUSALS,
  ...KOREAN_NEWS,
  ...KOREAN_GIT,
  ...KOREAN_ANSWERS,
  ...KOREAN_AGENTS,
  said: ({ text }) => text,

  "paused-by-person": () => "사용자가 일시 중지함",
  "cancelled-by-person": () => "사용자가 취소함",
  "text-changed": () => "작업이 끝난 뒤 태스크 내용이 바뀌었습니다",
  "left-out": () => "태스크 파일에서 제외됨",
  "asks-less": ({ fields }) =>
    `태스크 파일이 전보다 적게 요구합니다 (${fields.join(", ")}); espalier resume이 물어봅니다`,
  "blocked-by": ({ task }) => `${task} 때문에 차단됨`,
  "no-signal": () => "신호 없음",
  "stale-context": ({ held }) => `오래된 컨텍스트: ${held}`,
  "cancelled-outside": () => "에이전트가 외부에서 취소됨",
  "run-block-unapproved": () => "run: 블록이 아직 승인되지 않았습니다; espalier resume이 물어봅니다",
  "proof-unapproved": () => "결과를 검증하는 명령이 아직 승인되지 않았습니다; espalier resume이 물어봅니다",
  "file-unapproved": ({ path }) => `승인되지 않은 에이전트 설정 ${path}; espalier resume이 물어봅니다`,
  "work-unreadable": ({ path, commit }) =>
    `작업을 읽을 수 없습니다: 커밋 ${commit}의 ${withParticle(path, "이/가")} 없습니다`,
  "state-not-believed": ({ status }) => `Espalier가 쓰지 않은 상태: ${STATUS[status] ?? status}`,

  "not-asked": ({ agent, kind, said }) =>
    `${withParticle(agent, "은/는")} 허락을 구하지 않습니다: 권한 설정에서 금지한 작업(${kind})을 했습니다: ${said}`,
  "does-not-ask": ({ agent, kind, said }) =>
    `${withParticle(agent, "은/는")} 이런 작업(${kind}) 전에 묻지 않아 아무에게도 묻지 못했습니다: ${said}. 묻지 않고 해서는 안 되는 것은 deny로 금지하면 끝내고, 격리할 수도 있습니다`,
  "not-heeded": ({ agent, kind, said }) =>
    `${withParticle(agent, "은/는")} 거절된 작업(${kind})을 그대로 했습니다: ${said}`,
  "agent-failed": ({ kind, said }) => `${AGENT[kind]}: ${said}`,
  "agent-crashed": end => `에이전트 ${ended(end)}${starved(end)}`,
  "nobody-answered": ({ kind, said }) =>
    `허가를 요청했지만 아무도 답하지 않았습니다 (${kind}): ${said}. espalier permit으로 답하세요`,
  "asks-decision": ({ said }) => `결정 요청: ${said === "" ? "이유 없음" : said}`,
  "exit-code": ({ exit }) => `종료 코드 ${exit}`,
  "done-but-exit": ({ exit }) => `DONE_BUT_EXIT_${exit}`,
  "check-failed": ({ name, ...end }) => `${name} ${ended(end)}`,
  "check-cannot-run": ({ name, ...end }) =>
    `${name} 실행 불가: ${ended(end)}; 필요한 것을 설치하세요. 워크트리에서는 worktree.setup이 설치합니다`,
  "paths-missing": ({ paths }) => `없는 파일: ${paths}`,
  "stopped-before": ({ name }) => `${name} 전에 중지됨`,
  "conflict-left": ({ paths }) => `충돌한 양쪽 내용이 남아 있음: ${paths}`,
  "diff-expected": () => "변경 사항이 있어야 함",
  "vcs-failed": ({ kind, said }) => `${VCS[kind]}: ${said}`,
  "conflict-with": ({ others, paths }) =>
    `${others.length === 0 ? "" : `${withParticle(others.join(", "), "과/와")} `}충돌: ${paths.names.join(", ")}${paths.more > 0 ? " …" : ""}`,
  "check-of-other": ({ task, why }, tell) => `${task}의 검증: ${tell(why)}`,
  "agent-not-there": ({ agent, said, why }, tell) =>
    `에이전트 ${agent}: ${why === undefined ? said || "찾을 수 없습니다" : tell(why)}`,
  "fails-with-landed": ({ why }, tell) => `그 사이 합쳐진 작업과 함께: ${tell(why)}`,
  "test-passes-first": () =>
    "RED: 작업 전에 테스트가 통과함; tdd: off로 하거나 먼저 실패하는 테스트가 필요합니다",
  "review-findings": ({ by }) => `${by}의 검토 지적이 남아 있음`,
  unreviewed: ({ by, why }, tell) => `${by}의 검토를 받지 못함: ${tell(why)}`,
  "sent-back": ({ by, note }) => `${withParticle(by, "이/가")} 돌려보냄: ${note.replaceAll("\n", " ")}`,
  "no-diff": () => "변경 내용을 diff로 볼 수 없음",
  "reviewer-wrote": ({ by, paths, stays }) =>
    stays
      ? `${withParticle(by, "이/가")} 검토하는 동안 ${withParticle(some(paths), "이/가")} 바뀜(검토자나 사용자가 바꿈); 아무것도 반영하지 않았고, 그곳에 있던 내용은 refs/espalier/left/ 아래에 보관함`
      : `검토만 해야 할 ${withParticle(by, "이/가")} ${withParticle(some(paths), "을/를")} 바꿈; 되돌려 놓음`,
  "reviewer-edited": ({ by, paths }) =>
    `작업이 자신을 검토할 것(${by})을 바꿈: ${some(paths)}; 확인한 뒤 태스크를 계속하게 하세요`,
  ...KOREAN_MACHINES,
  "internal-error": ({ said }) => `내부 오류: ${said}`,
  "package-unaffordable": ({ tokens }) => `${tokens} 토큰의 패키지가 지금 실행 예산에 들어가지 않음`,
  "agent-unknown": ({ agent }) => `에이전트 ${agent} 없음`,
  "service-busy": ({ agent, until }) => `${agent}의 서비스에 부하가 큼; ${isoTime(until)}에 다시 시도`,
  "out-of-quota": ({ agent, until, next }) =>
    `${agent} 할당량 소진${until === undefined ? "" : ` (${isoTime(until)}까지)`}${next === undefined ? "" : `; ${withParticle(next, "이/가")} 이어받음`}`,
  "tries-failed": ({ tries }, tell) =>
    `동시 시도 ${tries.length}건 모두 실패: ${tries.map(({ agent, why }) => `${agent}: ${tell(why)}`).join("; ")}`,
  "no-document": ({ node, why }, tell) => `${node} 문서 없음: ${tell(why)}`,
  "document-empty": () => "답변에 문서가 없음",
  "document-too-long": () =>
    "64 KiB 이상의 답변은 문서가 될 수 없음; 파일에 쓰세요: $ESPALIER_DOCUMENT 또는 태스크의 expects에 있는 파일",
  "paths-empty": ({ paths }) => `${paths}에 내용이 없음`,
  "process-died": () => "오케스트레이터가 종료됨",
  "taken-from-lead": () => "리드에게서 회수함",
  "attempt-not-ours": () => "Espalier가 쓰지 않음",

  "phase-refused": ({ phase, why }, tell) => `단계 ${phase}: ${tell(why)}`,
  "branch-joined": ({ branch, into, files }) =>
    `${some(files)}: ${into}에 있던 줄 뒤에 ${branch}의 줄이 이어짐`,
  "branch-conflict": ({ branch, into, files }) =>
    `${withParticle(branch, "을/를")} ${into}에 병합할 수 없음: 양쪽에서 변경 ${some(files)}; 직접 병합한 뒤 resume 하세요`,
  "below-gate": ({ phase, completed, counted, next, ...tasks }) =>
    `단계 ${phase} 성공률 기준 미달 (${completed}/${counted} 완료; ${broken(tasks)}); 태스크를 고치거나 --force-phase ${withParticle(next, "으로/로")} 계속하세요`,
  "tasks-broken": broken,
  "tasks-paused": ({ tasks }) => `일시 중지: ${some(tasks)}`,
  "tasks-outside": ({ tasks }) => `계획에 --only 밖의 태스크 ${tasks}개가 남아 있음`,
  "run-stopped": () => "모든 태스크가 끝나기 전에 중지됨",
  "budget-reached": budget => `예산 도달: ${used(budget.used)} 사용; ${left(budget.left)}`,
  "budget-left": left,
  "from-checkpoint": ({ completed, tasks, gone }) =>
    `태스크 ${tasks}개 중 ${completed}개 완료${gone === 0 ? "" : `; 그중 ${gone}행은 더 이상 계획에 없음`}`,

  "budget-mark": ({ percent, ...budget }) => `예산 ${percent} % 사용: ${used(budget.used)}`,
  "budget-overrun": ({ attempt, tokens, cost, ...budget }) => {
    const took = parts(
      ", ",
      tokens !== undefined && `${whole(tokens)} 토큰`,
      cost !== undefined && dollars(cost),
    );
    return `${withParticle(attempt ?? "검토자 또는 출력을 줄이는 모델", "이/가")} ${took} 사용: 실행 예산 초과, ${used(budget.used)}`;
  },
  "signal-missing": ({ said = "" }) =>
    `마지막 메시지가 태스크의 신호로 끝나지 않음${said === "" ? "" : `; 마지막 줄: ${said}`}`,
  "result-orphaned": () => "태스크가 파일에서 빠진 뒤 시도가 끝나 결과를 세지 않음",
  "result-unwanted": () => "그 전에 태스크가 이 시도에서 빠짐",
  "not-landed": ({ why }, tell) =>
    `작업은 검증되었지만 아직 합쳐지지 않음${why === undefined ? "" : `: ${tell(why)}`}`,
  "not-proved": ({ why }, tell) =>
    `작업은 보관되었고 아직 검증해야 함${why === undefined ? "" : `: ${tell(why)}`}`,
  "landed-orphaned": ({ commit }) =>
    `태스크가 이 시도에서 빠졌을 때 작업은 이미 합쳐져 있었음: 커밋 ${withParticle(commit, "은/는")} 브랜치에 남음`,
  "task-gone": () => "에이전트가 작업하는 동안 태스크가 파일에서 빠짐; 끝까지 하더라도 결과를 세지 않음",
  "no-research": ({ most }) => `이미 조사한 질문이거나, 이번 실행의 조사 태스크 ${most}개를 모두 사용함`,
  "gate-waits": ({ phase, names }) =>
    `단계 ${phase} 게이트가 ${some(names)}의 확인을 기다림; 팀에서 빼려면 espalier context leave NAME`,
  "gate-goes-on": ({ phase, names }) => `단계 ${phase} 게이트가 확인하지 않은 ${some(names)} 없이 진행함`,
  "state-unwritten": ({ said }) => `상태를 기록할 수 없음 (${said}); 새로 시작하지 않고 다시 시도합니다`,
  "state-restored": ({ event }) => `백업과 상태 파일에서 이벤트 ${event}까지 복원함`,
  "rows-not-believed": ({ tasks, more, attempts, run, mixed, event }) =>
    parts(
      "; ",
      tasks.length > 0 &&
        `Espalier가 쓰지 않아 인정하지 않음: ${some({ names: tasks.map(({ task, status }) => `${task} (${STATUS[status] ?? status})`), more })}`,
      attempts.names.length > 0 && `Espalier가 쓰지 않은 시도: ${some(attempts)}; 중단된 것으로 처리함`,
      run && "실행의 행을 Espalier가 쓰지 않음: 강제 진행한 단계를 인정하지 않음",
      mixed && "Espalier가 바꾼 행이 되돌려졌거나 일부가 빠짐",
      event !== undefined && `이벤트 ${event}부터 다른 쪽이 이력을 바꿈`,
    ),
  "update-not-taken": ({ said, labels }) => `${said}; ${labels}`,
  "checkpoint-conflict": ({ id, section, said }) => `${id} §${section}: ${said}`,
  "document-lost": ({ task, node, why }, tell) =>
    `프로세스가 종료되어 ${node} 문서를 잃음 (${tell(why)}); 다시 준비: "espalier task retry ${task}"`,
  "outputs-in-brief": ({ percent }) =>
    `출력이 컨텍스트 창의 ${percent} % 차지: 이제부터 요약(수준 2)으로 전달합니다`,
  "blocks-off": ({ blocks }) => `블록 ${blocks}개를 받지 않음: addContext가 꺼져 있음`,
  "blocks-cut": ({ blocks }) =>
    `블록 ${blocks}개가 답변의 잘려 나간 부분에 있었음: 답변은 마지막 64 KiB만 보관합니다`,
  "block-not-taken": ({ node, line, why }) => `${line}행의 "${node}" 블록을 받지 않음: ${BLOCK[why]}`,
  "blocks-not-taken": ({ blocks }) => `블록 ${blocks}개를 더 받지 않음`,
  "block-unknown-node": ({ node }) => `컨텍스트 노드 ${node} 없음; 내용은 시도의 메시지에 남습니다`,
  "block-out-of-scope": ({ node, own }) =>
    `${withParticle(node, "은/는")} 루트에서 ${own}까지의 경로에 없음; addContext.scope: any로 허용할 수 있음`,
  "block-unhung": ({ node, status }) => `${node} 노드 상태: ${NODE[status]}; 내용은 시도의 메시지에 남습니다`,
  "block-unpublished": ({ label, why }) => `${withParticle(label, "을/를")} 게시할 수 없음 (${why})`,
  "tree-unreadable": ({ said }) => `컨텍스트 트리를 읽을 수 없음: ${said}`,
  "model-refused": ({ said }) => `${said}; 대신 추출함`,
  "phase-brought-up": ({ branch, target }) =>
    `그사이 ${target}에 커밋된 것을 ${withParticle(branch, "이/가")} 받아들임`,
  "phase-behind": ({ branch, target, paths, path }) =>
    `그사이 ${target}에 커밋된 것 없이 ${withParticle(branch, "이/가")} 진행됨: 양쪽이 ${some(paths)} 파일을 바꿈; 서로 합쳐지도록 ${withParticle(target, "을/를")} 고쳐 커밋하고 이 단계의 태스크를 계속하게 하거나(espalier task resume ID), 이 실행이 끝난 뒤 ${path}에서 ${withParticle(target, "을/를")} 병합해 커밋하고 "espalier resume" 실행`,
  "copy-kept": ({ paths, path }) =>
    `${path}의 ${some(paths)} 파일은 거기서 바뀐 대로 남음; 메인 체크아웃의 것은 이제 다름; 거기서 지우면 다음 시도가 지금의 것을 받음`,
  "copy-dropped": ({ paths, path }) =>
    `${path}의 ${some(paths)} 파일은 이제 worktree.copy나 worktree.link가 가져오지 않지만 거기서 바뀌었으므로 남음; 필요 없으면 직접 지울 것`,
  "phase-not-brought": ({ branch, target, why }, tell) =>
    `그사이 ${target}에 커밋된 것 없이 ${withParticle(branch, "이/가")} 진행됨: ${tell(why)}; 고친 뒤 이 단계의 태스크를 계속하게 할 것(espalier task resume ID)`,
  "phase-occupied": ({ branch, target, task }) =>
    `${withParticle(branch, "은/는")} 거기서 일하는 ${withParticle(task, "이/가")} 끝나면 ${target}에 커밋된 것을 받아들임`,
  "branch-rewritten": ({ branch, rescued }) =>
    `${branch}의 이력이 바뀌어 있었음; 바뀐 것은 ${rescued}에 있음`,
  "broken-before": ({ name, ...end }) =>
    `${name}: 작업 전에도 실패합니다, ${ended(end)}; 메인 체크아웃에서 고쳐 커밋한 뒤 태스크를 계속하게 하세요`,
  "phase-after-failed": ({ phase, why }, tell) =>
    `단계 ${phase} 종료, phase.after 실패: ${tell(why)}; 단계 결과는 그대로입니다`,
  "phase-after-stopped": ({ phase }) =>
    `단계 ${phase} 종료; 중지로 phase.after가 끊겼으며 실행을 재개하면 다시 실행합니다`,
  "tests-missing": () => "미검증: tdd인데 테스트 명령이 없습니다. test:로 지정하세요",
  "tests-empty": ({ runner }) => `미검증: 실행된 테스트가 없고 다른 검증도 없습니다(${runner})`,
  "tests-weaker": ({ gone, weaker, fewer }) =>
    `테스트가 이전보다 약해졌습니다: ${parts(
      "; ",
      gone.names.length > 0 && `삭제됨: ${some(gone)}`,
      weaker.names.length > 0 && `테스트나 검사가 줄었거나 건너뜀이 늘어남: ${some(weaker)}`,
      fewer !== undefined && `실행된 테스트 ${fewer.before}개 → ${fewer.after}개`,
    )}`,
  "hot-file": ({ path, times }) =>
    `${path}에서 충돌 ${times}번: 다른 태스크를 시작할 수 있는 동안에는 이 파일을 바꿀 태스크들을 나란히 시작하지 않음`,
  "generated-anew": ({ path, command }) => `충돌한 ${withParticle(path, "을/를")} 다시 만듦: ${command}`,
  "not-generated": ({ path, command, why }, tell) =>
    `${withParticle(path, "이/가")} 충돌했고 다시 만들지 못함: ${command}: ${tell(why)}`,
  "work-set-aside": ({ branch, why }) =>
    why === "unfinished"
      ? `끝나지 않은 작업을 브랜치 ${withParticle(branch, "으로/로")} 옮김`
      : `합쳐지지 않은 작업을 브랜치 ${withParticle(branch, "으로/로")} 옮김; 다시 실행합니다`,
  "work-left": ({ ref }) => `시도가 남긴 것을 치우고 보관함; 보기: ${leftShown(ref)}`,
  "leftovers-stay": () =>
    "이전 시도가 남긴 것 위에서 다시 시도함: git이 없거나 git.worktrees가 off이면 아무것도 치우지 않음",
  "work-rescued": ({ branch, path }) =>
    `${path === undefined ? "" : `어떤 시도도 남기지 않은 ${path}의 `}커밋하지 않은 작업을 브랜치 ${branch}에 저장함`,
  "work-not-landed": ({ branch }) => `합쳐지지 않은 작업이 브랜치 ${branch}에 남음`,
  "files-rescued": ({ path }) => `git이 커밋에 담지 않는 것을 ${withParticle(path, "으로/로")} 옮김`,
  "worktree-aside": ({ path, aside }) =>
    `저장소가 없어진 워크트리가 ${withParticle(path, "을/를")} 막고 있었음; 내용 그대로 이제 ${aside}에 있음`,
  "worktree-kept": ({ said }) => `워크트리가 남음: ${said}`,
  "boxes-not-ours": ({ tasks }) =>
    `파일에 체크되어 있으나 Espalier가 하지 않아 인정하지 않음: ${some(tasks)}. 인정하려면 "espalier task done ID"`,
  "boxes-ticked-again": ({ tasks }) =>
    `파일에서 체크가 풀렸으나 완료됨: ${some(tasks)}. 다시 하려면 "espalier task retry ID"`,
  "file-unreadable": ({ said }) => `태스크 파일을 읽을 수 없음 (${said}); 지금 계획으로 계속합니다`,
  "file-broken": ({ line, said }) =>
    `태스크 파일에 오류가 생김 (${line}행: ${said}); 지금 계획으로 계속합니다`,
  "not-told": ({ notifier, said }, tell) =>
    `${notifier}에 알리지 못함 (${typeof said === "string" ? said : tell(said)}); 실행에는 영향이 없습니다`,
  "still-telling": ({ notifiers, ms }) =>
    `알림을 마칠 때까지 최대 ${ms / 1_000}초 기다림: ${some(notifiers)}`,
  "decision-refused": ({ what, why }, tell) => `${what} 거부됨: ${tell(why)}`,

  "repository-note": ({ about }) => NOTES[about],
  "leftover-mended": ({ how, branch }) => `${MENDED[how]}${branch === undefined ? "" : `: ${branch}`}`,
  "leftover-kept": ({ why }) => (typeof why === "string" ? KEPT[why] : `그대로 둠: ${why.folder}`),
  "one-folder": ({ why }) =>
    `${ONE_FOLDER[why]}: 모든 태스크가 이 폴더에서 작업하므로 하나씩 실행됩니다; espalier.yaml의 "parallel: 5" 또는 --parallel 5로 함께 실행할 수 있습니다`,
  "jail-missing": () => "bubblewrap이 설치되어 있지 않습니다 (Debian, Ubuntu: apt install bubblewrap)",
  "jail-broken": ({ said }) => `여기서는 bubblewrap이 동작하지 않습니다: ${said}`,
  "repository-bare": () => "bare 저장소라서 작업할 파일이 없습니다",
  "clone-it": () => "클론하세요",
  "head-detached": () => "체크아웃된 브랜치가 없습니다 (detached HEAD)",
  "choose-branch": () =>
    "브랜치를 체크아웃하거나 git: { target: … }로 지정하세요. 모든 태스크를 메인 체크아웃에서 실행하려면 espalier.yaml에 git: { worktrees: off }",
  "no-task-file": ({ folder, looked }) =>
    `태스크 파일이 없습니다: ${folder}; 찾아본 곳: ${looked.join(", ")}`,
  "no-task-file-at": ({ path }) => `태스크 파일이 없습니다: ${path}`,
  "task-file-moved": ({ from, file }) =>
    `이제 ${withParticle(file, "이/가")} ${from}의 태스크를 담고 있습니다; 그 파일로 이어 가려면: espalier run ${shellWord(file)}`,
  "task-file-copied": ({ from, files }) =>
    `이제 ${from}의 태스크를 담은 파일이 여럿입니다: ${some(files)}; 이어 갈 파일을 지정하세요: espalier run FILE`,
  "task-file-renamed": ({ from, file }) => `이제 ${from}의 이름은 ${file}: 실행을 이어 감`,
  "task-file-configured": () => "espalier.yaml의 tasks:에 적혀 있습니다",
  "check-path": () => "경로를 확인하세요",
  "name-task-file": () =>
    "espalier init이 첫 태스크를 물어 TASKS.md를 써 줍니다. 다른 곳에 있는 파일은 지정하세요: espalier run path/to/TASKS.md",
  "see-run": ({ isStopped = false }) =>
    `그 실행 보기: espalier status${isStopped ? "" : "; 끝내기: espalier stop"}`,

  "not-a-person": who => {
    if (who.kind === "unproven")
      return "결정은 사람만 할 수 있는데, 요청한 쪽이 에이전트가 아니라는 증거가 없습니다";
    const by =
      who.kind === "lead"
        ? "이 실행의 리드가"
        : who.kind === "agent"
          ? `에이전트의 셸에서`
          : who.task === undefined
            ? "실행에 속한 프로세스가"
            : `${who.task} 시도 안에서`;
    return `결정은 사람만 할 수 있는데, ${by} 요청했습니다${who.kind === "agent" ? ` (${who.sign} 설정됨)` : ""}`;
  },
  "task-unknown": ({ task }) => `이 계획에 태스크 ${task} 없음`,
  "task-outside": ({ task }) => `${withParticle(task, "은/는")} 이번 실행의 --only 밖에 있습니다`,
  "task-running": ({ task }) =>
    `${withParticle(task, "은/는")} 실행 중입니다; 먼저 일시 중지하거나 취소하세요`,
  "task-blocked": ({ task, by }) =>
    `${withParticle(task, "은/는")} ${by} 때문에 차단되었습니다: 그 태스크를 재시도하거나 건너뛰세요`,
  "task-stands": ({ task, status, not }) => {
    if (not === "paused")
      return `${withParticle(task, "은/는")} 일시 중지된 상태가 아닙니다 (${STATUS[status] ?? status})`;
    if (not === "skippable") return `${withParticle(task, "은/는")} 완료되었습니다; 건너뛸 것이 없습니다`;
    return not === "cancellable"
      ? `${withParticle(task, "은/는")} 완료되었습니다; 취소할 것이 없습니다`
      : `${withParticle(task, "은/는")} 이미 ${ALREADY[status] ?? status}`;
  },
  "task-groups": ({ task, children }) =>
    `${withParticle(task, "은/는")} 하위 태스크와 함께 완료됩니다: ${children.join(", ") || "하위 태스크"}에 지정하세요`,
  "merge-outcome": mergeKorean,
  "note-missing": ({ task }) => `무엇을 바꿀지 적지 않았습니다: espalier task send-back ${task} "바꿀 내용"`,
  "reads-no-note": ({ task }) =>
    `${withParticle(task, "은/는")} 메모를 읽지 않는 run: 블록입니다: 태스크 파일에서 블록을 고친 뒤 espalier task retry ${task}`,
  "never-worked": ({ task }) =>
    `아직 아무도 ${withParticle(task, "을/를")} 작업하지 않아 돌려보낼 것이 없습니다`,
  "task-listens": ({ task }) =>
    `${withParticle(task, "은/는")} 작업 중입니다: 에이전트에게 전하세요 (espalier task tell ${task} "…")`,
  "task-proved": ({ task }) => `${withParticle(task, "은/는")} 이미 검증되어 승인할 것이 없습니다`,
  "nothing-to-approve": ({ task, status }) =>
    `${task}의 상태는 ${STATUS[status] ?? status}이고 검증을 마치고 기다리는 작업이 없어 승인할 것이 없습니다`,
  "task-not-ready": ({ task, status, on }) =>
    `${withParticle(task, "은/는")} 시작할 수 없습니다 (${STATUS[status] ?? status})${on.length > 0 ? `; ${withParticle(on.join(", "), "을/를")} 기다립니다` : ""}`,
  "resource-taken": ({ task, resource }) =>
    `${withParticle(task, "이/가")} 쓰는 ${withParticle(resource, "을/를")} 이미 허용된 수만큼의 태스크가 쓰고 있습니다. 하나가 끝날 때까지 기다리세요`,
  "task-shares": ({ task, path }) =>
    `${withParticle(task, "은/는")} 실행 중인 태스크와 ${withParticle(path, "을/를")} 함께 씁니다`,
  "task-alone": ({ task, running }) =>
    running === undefined
      ? `${withParticle(task, "은/는")} 혼자 실행되어야 합니다; 끝날 때까지 기다리세요`
      : `${withParticle(task, "은/는")} 혼자 실행되어야 합니다; ${withParticle(running, "이/가")} 아직 실행 중입니다`,
  "task-unaffordable": ({ task, beside }) =>
    `${beside} 옆에는 ${task}의 예산이 없습니다; 끝날 때까지 기다리세요`,
  "phase-unknown": ({ phase }) => `이 계획에 단계 ${phase} 없음`,
  "phase-none-left": () => "다음 단계 없음",
  "phase-ending": ({ phase }) => `단계 ${phase}의 종료를 처리하는 중입니다`,
  "phase-gated": ({ phase, next }) => `단계 ${phase} 성공률 기준 미달; 계속하려면 단계 ${next} 강제 진행`,
  "phase-unended": ({ phase, task, status }) =>
    `단계 ${withParticle(phase, "이/가")} 끝나지 않음: ${task} (${STATUS[status] ?? status})`,
  "phase-may-start": ({ phase, resume }) =>
    `단계 ${phase} 시작 가능${resume ? '; "espalier resume"으로 계속합니다' : ""}`,
  "run-stopping": () => "실행을 중지하는 중입니다",
  "run-held": ({ asked }) =>
    asked ? "새로 시작하지 않습니다; 실행 중인 것은 계속합니다" : "실행이 이미 보류 중입니다",
  "run-not-held": ({ asked }) => (asked ? "실행을 계속합니다" : "실행이 보류 중이 아닙니다"),
  "nothing-started": ({ why }, tell) => `${tell(why)}. 아무것도 시작하지 않았습니다`,
  "nothing-changed": ({ why }, tell) => `${tell(why)}; 아무것도 바뀌지 않았습니다`,
};
