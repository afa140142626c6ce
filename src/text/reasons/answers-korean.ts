import type { AnswerArgs, Reason, ReasonArgs } from "../../ports/index.ts";
import { withParticle } from "../particle.ts";
import { type CatalogueOf, listing } from "./catalogue.ts";

const some = listing(more => ` 외 ${more}개`);

const ACTED = {
  retry: "처음부터 다시 시작합니다",
  skip: "건너뜁니다",
  done: "완료로 처리합니다 (미검증)",
  pause: "일시 중지합니다",
  resume: "재개합니다",
  cancel: "포기합니다",
  "send-back": "메모와 함께 에이전트에게 돌려보냅니다",
  approve: "승인합니다",
} as const;

/** What a process answers to what is asked of its run, in Korean. */
export const KOREAN_ANSWERS: CatalogueOf<AnswerArgs> = {
  "word-taken": ({ task }) => `${task}: 에이전트가 차례를 마치는 대로 전달함`,
  "word-unheard": ({ task, agent }) =>
    `${task}: ${withParticle(agent, "은/는")} 작업 중에는 듣지 못합니다; 일시 중지하고 태스크 파일에 적은 뒤 재개하세요`,
  "word-late": ({ said, again }) =>
    `전달하기 전에 에이전트가 끝남${again ? "; 다음 시도에 전달함" : ""}: ${said}`,
  "not-at-work": ({ task }) => `${withParticle(task, "을/를")} 작업 중인 에이전트가 없습니다`,
  "words-wait": ({ task, most }) => `${task}에 전달할 말이 이미 ${most}개 대기 중입니다`,
  acted: ({ task, action, resume }) =>
    `${withParticle(task, "을/를")} ${ACTED[action]}${resume ? '; "espalier resume"으로 이어서 실행합니다' : ""}`,
  "asks-less-now": ({ task, fields }) =>
    `처리하지 않음: 태스크 파일이 ${task}에 전보다 적게 요구하는데(${fields.join(", ")}) 아직 아무도 보지 못했습니다; 태스크를 확인한 뒤 다시 결정하세요`,
  stopping: ({ lead }) =>
    lead ? "리드가 실행을 놓습니다" : "중지하는 중: 에이전트를 종료하고 그 태스크는 다시 준비 상태가 됩니다",
  "lead-holds": ({ method }) =>
    `리드가 이 실행을 잡고 있습니다: ${withParticle(method, "은/는")} 리드가 떠난 뒤에 하세요`,
  "lead-leaving": () => "리드가 떠나는 중입니다",
  "no-such-service": ({ what }) =>
    what === "workers"
      ? "이 프로세스는 머신의 요청을 받지 않습니다"
      : "이 프로세스는 체크포인트를 남기지 않습니다",
  "goes-on": () => "실행을 재개했습니다",
  "merge-after-run": () =>
    "실행 중입니다: 끝난 뒤에 병합하세요 (espalier stop으로 끝냅니다). 그다음: espalier phase merge --all",
  "merge-unapproved": ({ commands, phase = "--all" }) =>
    `아직 승인되지 않음: ${some(commands)}; 터미널에서 읽고 승인하세요: espalier phase merge ${phase}`,
  "no-branches": () => "이 프로젝트의 단계에는 브랜치가 없습니다",
  "runs-already": () => "이미 실행 중입니다",
  "goes-on-unapproved": () =>
    "실행이 재개되지 않았습니다: 저장소가 지정한 명령이 아직 승인되지 않았습니다. 터미널에서 espalier resume을 실행해 읽고 승인하세요",
  "does-not-go-on": ({ said }) =>
    `실행을 재개하지 못했습니다: ${said === "" ? "아무 말 없이 끝났습니다" : said}`,
  "nobody-waits": () => "이 답을 기다리는 곳이 더 이상 없습니다",
};

/** What came of merging phases, in Korean. */
export function mergeKorean(
  { merged, refused, left }: ReasonArgs["merge-outcome"],
  tell: (reason: Reason) => string,
): string {
  const rest = left.filter(phase => phase !== refused?.phase);
  return [
    ...merged.map(({ phase, into, commit }) =>
      into === undefined || commit === undefined
        ? `단계 ${phase}: 병합할 것이 없습니다`
        : `단계 ${phase}: ${into}에 병합됨 (${commit.slice(0, 10)})`,
    ),
    ...(refused === undefined
      ? []
      : [
          `단계 ${refused.phase} 병합 안 됨: ${tell(refused.why)}; 그다음: espalier phase merge ${refused.phase}`,
        ]),
    ...(merged.length === 0 && refused === undefined
      ? ["브랜치에서 병합을 기다리는 완료된 단계가 없습니다"]
      : []),
    ...(rest.length === 0 ? [] : [`아직 브랜치에 있음: ${rest.join(", ")}`]),
  ].join("; ");
}
