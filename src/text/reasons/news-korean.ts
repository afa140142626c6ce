import type { NewsArgs, UnreadFile } from "../../ports/index.ts";
import { withParticle } from "../particle.ts";
import { type CatalogueOf, listing } from "./catalogue.ts";
import { KOREAN_STATE } from "./state-korean.ts";

const some = listing(more => ` 외 ${more}개`);

const ENDED: Readonly<Record<NewsArgs["run-was-ended"]["outcome"], string>> = {
  completed: "실행 완료",
  failed: "실패한 태스크와 함께 실행 종료",
  waiting: "사용자 확인 대기",
  interrupted: "실행 중단",
};

const NOT_TOLD: Readonly<Record<Exclude<NewsArgs["notice-failed"]["why"], "unset">, string>> = {
  redirects: "다른 주소로 넘깁니다",
  "no-answer": "5초 안에 응답이 없습니다",
  "no-time": "남은 시간이 없습니다",
  malformed: "주소 형식이 잘못되었습니다",
  "names-user": "주소에 사용자 이름이 들어 있습니다",
  "no-token": "베어러 토큰이 아닙니다",
};

function unread({ file, most: { files, values, kib } }: UnreadFile): string {
  if (files !== undefined) return `${file} (${files + 1}번째 이후의 파일)`;
  return values === undefined ? `${file} (${kib}KiB 초과)` : `${file} (값 ${values}개 또는 ${kib}KiB 초과)`;
}

/** What is told first of a run, and of its checkpoints, in Korean. */
export const KOREAN_NEWS: CatalogueOf<NewsArgs> = {
  ...KOREAN_STATE,
  "earlier-run-aside": ({ file }) => `${file}의 이전 실행은 보관하고 새 실행을 시작합니다`,
  "ticks-believed": ({ tasks, file }) => `${file}에 이미 체크된 태스크 ${tasks}개: 완료(미검증)로 봅니다`,
  "ticks-not-believed": ({ tasks }) =>
    `파일에는 체크되어 있지만 Espalier가 아는 완료가 아니어서 믿지 않습니다: ${some(tasks)}. "espalier task done ID"로 인정할 수 있습니다`,
  "done-under-another-text": ({ tasks }) =>
    `다른 내용일 때 완료됨: ${some(tasks)}. 결과를 유지하려면 "espalier task done ID", 다시 하려면 "espalier task retry ID"`,
  "nothing-to-dispatch": () => "실행할 태스크가 없습니다",
  "other-task-files": ({ file, others }) => `${file} 사용; 다른 태스크 파일도 있습니다: ${others.join(", ")}`,
  "completions-taken-over": ({ from, tasks, checkpoint }) => {
    const gone = checkpoint?.gone ?? 0;
    const besides = gone === 0 ? "" : `; 그 가운데 ${gone}개는 이제 계획에 없음`;
    const files = checkpoint === undefined ? "" : "; 체크아웃의 파일은 그대로 둡니다";
    return `${from}: 완료된 태스크 ${tasks}개를 이어받음${besides}${files}`;
  },
  "state-rebuilt": ({ tasks }) =>
    `상태를 잃어 다시 만들었습니다: 완료된 태스크 ${tasks}개를 커밋이 증명합니다`,
  "objects-cut": ({ objects, kept }) => `디스크에 기록되지 못한 git 객체 ${objects}개; 보관한 곳: ${kept}`,
  "refs-cut": ({ refs, kept }) => `아무것도 가리키지 않는 ref: ${some(refs)}; 보관한 곳: ${kept}`,
  "refs-cut-elsewhere": ({ refs }) =>
    `아무것도 가리키지 않지만 Espalier의 것이 아니어서 그대로 둔 ref: ${some(refs)}; 무엇이었는지는 git reflog에 있습니다`,
  "index-anew": ({ kept }) => `메인 체크아웃의 인덱스를 읽을 수 없어 새로 만들었습니다; 보관한 곳: ${kept}`,
  "files-put-back": ({ files, where }) =>
    where === "checkout"
      ? `체크아웃에 쓰이다가 잘린 파일을 되돌렸습니다: ${some(files)}`
      : `정전으로 잘린 파일을 반영된 내용으로 되돌렸습니다: ${some(files)}`,
  "completed-unreadable": ({ tasks }) =>
    `완료되었지만 저장소에서 결과를 읽을 수 없음: ${some(tasks)}. ` +
    '다시 하려면 "espalier task retry ID"; 다른 클론에 있으면 거기서 가져온 뒤 "espalier task done ID"',
  "state-left-unsealed": ({ said }) => `상태가 봉인되지 않았습니다: ${said}`,
  "settings-unread": ({ files }) =>
    `${files.map(unread).join(", ")}에 있는 비밀은 가려지지 않습니다: 비밀은 작은 .env나 환경 변수에 두세요`,
  "notice-failed": ({ at, why }) =>
    why === "unset" ? `${withParticle(at, "이/가")} 설정되지 않았습니다` : `${at}: ${NOT_TOLD[why]}`,
  "telemetry-setting": ({ signal, why }) => {
    if (why === "exporter") return `OTEL_${signal.toUpperCase()}_EXPORTER에는 otlp와 none만 쓸 수 있습니다`;
    if (why === "headers") return "OTEL_EXPORTER_OTLP_HEADERS에 헤더가 아닌 것이 있습니다";
    return why === "address"
      ? `${signal === "traces" ? "트레이스를" : "메트릭을"} 보낼 주소가 사용자 이름 없는 http 또는 https 주소가 아닙니다`
      : "OTLP는 HTTP로만 보냅니다: OTEL_EXPORTER_OTLP_PROTOCOL=http/json으로 두세요. 포트는 보통 4318입니다";
  },
  "telemetry-unsent": ({ at, why }) => {
    if (typeof why !== "string") return `${at}: ${why.rejected}개가 거부되었습니다`;
    return `${at}: ${why === "no-answer" ? "응답이 없습니다" : NOT_TOLD[why]}`;
  },
  "spans-lost": ({ spans }) => `한꺼번에 너무 많아 스팬 ${spans}개를 보내지 못했습니다`,
  "notice-forbidden": ({ at, address }) => `${at}: ${address}에는 보내지 않습니다`,
  "held-before": () =>
    '이전 프로세스가 끝나기 전에 사용자가 실행을 멈춰 두었습니다: "espalier watch"에서 "h"로 계속합니다',
  "goes-on-elsewhere": ({ tasks }) => `다른 머신에서 계속 진행: ${some(tasks)}`,
  "starts-again": ({ tasks }) => `이전 프로세스가 종료될 때 진행 중이어서 다시 시작: ${some(tasks)}`,
  "landed-before": ({ tasks }) => `이전 프로세스가 종료될 때 이미 반영되어 완료: ${some(tasks)}`,
  "landed-after-taken": ({ tasks }) =>
    `이전 프로세스가 종료될 때 반영되었지만 그 전에 에이전트에게서 회수됨: ${some(tasks)}. "espalier task done ID"로 인정할 수 있습니다`,

  "phase-was-ended": ({ phase, completed, counted }) =>
    `단계 ${phase} 종료, 태스크 ${counted}개 중 ${completed}개 완료`,
  "run-asked-to-stop": ({ by }) => `${by}의 요청으로 실행을 중단`,
  "run-was-ended": ({ outcome }) => ENDED[outcome],
  "lead-window-filled": ({ percent }) => `리드의 컨텍스트 창 ${percent} % 사용`,
  "direction-declared": ({ text }) => `방향: ${text}`,
  "task-file-changed": () => "태스크 파일이 바뀜",
  "checkpoint-asked": () => "요청에 따라",
};
