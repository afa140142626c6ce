import type { StateNewsArgs } from "../../ports/index.ts";
import { withParticle } from "../particle.ts";
import type { CatalogueOf } from "./catalogue.ts";

const as = (kept: string | undefined): string => (kept === undefined ? "" : `; 보관한 이름: ${kept}`);

/** How the state of a project was found, and what was put right, in Korean. */
export const KOREAN_STATE: CatalogueOf<StateNewsArgs> = {
  "state-file-missing": ({ file, kept }) => `${withParticle(file, "이/가")} 없습니다${as(kept)}`,
  "state-file-behind": ({ file, kept }) => `${file}에 최근 변경이 없습니다${as(kept)}`,
  "state-file-damaged": ({ file, damage, kept }) =>
    `${withParticle(file, "이/가")} 손상되었습니다 (${damage})${as(kept)}`,
  "state-began-anew": () => "새로 시작했습니다",
  "state-from-backup": ({ file }) => `${file}에서 복구했습니다`,
  "state-brought-forward": ({ file, event, changes, more }) => {
    const shown = changes.map(({ id, from, to }) => `${id} ${from} → ${to}`).join(", ");
    const what = changes.length === 0 ? "바뀐 태스크 없음" : more === 0 ? shown : `${shown} 외 ${more}개`;
    return `${withParticle(file, "으로/로")} 이벤트 ${event}까지 되살렸습니다: ${what}`;
  },
  "state-file-warns": ({ file, text }) => `${file}: ${text}`,
  "state-moved": ({ from, to }) => `${from}의 상태였으며, 이제 ${to}의 것입니다`,
  "state-made-private": ({ folder, was, now }) =>
    `${withParticle(folder, "을/를")} 다른 사용자가 쓸 수 있어서(${was}) ${withParticle(now, "으로/로")} 바꾸었습니다`,
  "state-event-gone": ({ run, event }) => `실행 ${run}의 이벤트 ${event}: 기록되었지만 이 상태에 없습니다`,
  "state-run-forged": ({ run }) => `실행 ${run}: Espalier가 쓴 것이 아니어서 믿지 않습니다`,
  "state-copy-kept": ({ kept }) => `발견한 그대로의 사본을 보관한 이름: ${kept}`,
  "state-run-elsewhere": ({ file, run }) => `${file}에 있는 실행 ${run}: 어떤 데이터베이스에도 없습니다`,
  "state-left-by-another": ({ file, kept }) =>
    `${withParticle(file, "은/는")} 다른 오케스트레이터가 남긴 것입니다; 사본을 보관한 이름: ${kept}`,
  "state-tasks-of-another": ({ file, tasks }) => `다른 오케스트레이터의 ${file}에 있는 태스크: ${tasks}개`,
};
