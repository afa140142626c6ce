import type { CallRefusalArgs } from "../../ports/index.ts";
import type { CatalogueOf } from "./catalogue.ts";

/** Why a command as it was called cannot be carried out, in Korean. */
export const KOREAN_CALLS: CatalogueOf<CallRefusalArgs> = {
  "no-workflow": ({ name }) => `워크플로 없음: ${name}`,
  "known-workflows": ({ nearest, names }) =>
    `${nearest === undefined ? "" : `혹시 ${nearest}? `}있는 것: ${names.join(", ")}`,
  "no-file": ({ path }) => `파일이 없습니다: ${path}`,
  "budget-shape": () => "형식은 espalier help budgets에 있습니다",

  "list-checkpoints": () => "목록: espalier checkpoint list",
  "checkpoints-doctor": () => "무엇이 잘못되었는지 보려면: espalier checkpoint doctor",
  "checkpoints-disk": () => "디스크와 상태 폴더의 권한을 확인하세요",
  "name-the-current": () => "어느 것인지 이름으로 지정하세요. 다음 체크포인트의 --parent로 하나로 정해집니다",
  "not-rebuilt": ({ id }) => `남을 것으로는 복원할 수 없어 아무것도 지우지 않았습니다: ${id}`,
  "delta-without-base": ({ file }) => `무엇에 적용할 델타인지 적혀 있지 않습니다: ${file}`,
  "name-its-base": () => "체크포인트를 지정하세요: espalier checkpoint apply DELTA CHECKPOINT",
  "delta-refused": ({ file, said }) => `${file}: ${said}. 아무것도 바꾸지 않았습니다`,
  "delta-in-words": () => "적힌 내용을 손으로 옮기거나 새로 만드세요: espalier checkpoint delta A B",
  "delta-first": () => "델타가 먼저입니다: espalier checkpoint apply DELTA CHECKPOINT",
  "delta-mistold": () =>
    "블록이 하는 일을 보려면: espalier checkpoint apply --anyway, 새로 만들려면: espalier checkpoint delta A B",
  "names-no-task": ({ id }) => `이 계획의 태스크가 적혀 있지 않습니다: ${id}`,
  "half-merged": ({ id, line }) => `끝나지 않은 병합의 양쪽 내용이 남아 있습니다: ${id}, ${line}번째 줄`,
  "finish-the-merge": () => "병합을 마친 뒤 다시 시도하세요",
  "names-tasks-so": () => 'Current State에 표 "| Task | Status | Note |"가 있어야 합니다',

  "plan-choice": ({ said }) => `--plan의 값은 reconcile 또는 frozen이어야 합니다: ${said}`,
  "result-file": () => "에이전트의 답이 담긴, 64 KiB 이하의 일반 파일을 지정하세요",
  "no-model": () => "espalier.yaml에 budget.model이 없습니다",
  "name-model": () => "지정하기: --model NAME --base-url URL",
  "model-address": ({ name }) => `--model ${name}에는 http 또는 https 주소인 --base-url이 필요합니다`,
  "model-address-like": () => "예: --base-url http://127.0.0.1:11434/v1",
  "no-variable": ({ name }) => `환경 변수가 없습니다: ${name}`,
  "not-written": ({ name, said }) => `쓸 수 없음: ${name}: ${said}`,
  "no-port": ({ said }) => `대시보드를 열 수 없습니다: ${said}`,
  "other-port": () => "--port로 다른 포트를 지정하거나, 빼고 실행해 빈 포트를 쓰세요",

  "command-unreadable": ({ where, said, column }) =>
    `${where} 명령을 읽을 수 없습니다: ${said} (${column}번째 글자)`,
  "command-like-shell": () => "프로그램과 인자를 셸에서 쓰듯이 적으세요",
  "jail-or-auto": () =>
    "espalier.yaml은 격리를 요구합니다. 설치하거나, 없는 곳에서는 격리 없이 실행하도록 jail: { use: auto }로 설정하세요",
  "cache-outside": ({ path }) => `budget.context_cache.storage가 프로젝트 밖을 가리킵니다: ${path}`,
  "cache-inside": () => "프로젝트 안의 폴더를 지정하거나 빼세요",
  "nobody-works": ({ url }) => `${url} 허브를 위해 일하는 머신이 없습니다`,
  "start-worker": ({ url }) => `다른 머신에서: espalier worker start --hub ${url}`,
};
