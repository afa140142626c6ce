import type {
  StateDamage,
  StateDamageKind,
  StateFieldProblem,
  StateNewsArgs,
  StateOddity,
} from "../../ports/index.ts";
import { withParticle } from "../particle.ts";
import type { CatalogueOf } from "./catalogue.ts";

const as = (kept: string | undefined): string => (kept === undefined ? "" : `; 보관한 이름: ${kept}`);

const PROBLEMS: Readonly<Record<StateFieldProblem, string>> = {
  unreadable: "읽을 수 없습니다",
  "no-key": "아무도 쓰지 않는 키라서 무시합니다",
  "no-names": "숫자로는 어느 태스크인지 알 수 없습니다",
  "no-list": "목록이 아닙니다",
  "no-object": "객체가 아닙니다",
  "no-task": "태스크 ID가 아닙니다",
  "unknown-status": "알 수 없는 상태라서 pending으로 봅니다",
  "no-retries": "재시도 횟수가 아니라서 0으로 봅니다",
  "phases-alone": "태스크 없이 단계만 있어서, 완료로 보는 태스크가 없습니다",
};

const DAMAGES: Readonly<Record<StateDamageKind, (of: string) => string>> = {
  empty: () => "비어 있음",
  cut: () => "페이지 중간에서 끊김",
  "other-tables": () => "다른 테이블이 있음",
  "broken-row": of => `${of}의 행이 깨짐`,
  "no-first-entry": () => "첫 항목이 없음",
  "other-program": () => "Espalier의 데이터베이스가 아님",
  "no-version": () => "스키마 버전이 없음",
  "not-sealed": () => "Espalier가 쓴 것이 아님",
  "fields-missing": () => "run, epoch, seq, tasks 중 없는 것이 있음",
  "no-object": () => "JSON 객체가 아님",
  "names-nothing": () => "태스크도 단계도 없음",
  "other-version": of => `버전 ${of}: 1.x나 2.x가 아님`,
};

function oddity(what: StateOddity): string {
  if ("more" in what) return `그 외 ${what.more}개`;
  if ("at" in what) return `${what.at}: ${PROBLEMS[what.problem]}`;
  const { task, statuses, taken } = what;
  return `${task}: 상태가 ${statuses.join(", ")}입니다; ${withParticle(taken, "으로/로")} 봅니다`;
}

function damageOf(damage: StateDamage): string {
  return "said" in damage ? damage.said : DAMAGES[damage.is](damage.of ?? "");
}

/** How the state of a project was found, and what was put right, in Korean. */
export const KOREAN_STATE: CatalogueOf<StateNewsArgs> = {
  "state-file-missing": ({ file, kept }) => `${withParticle(file, "이/가")} 없습니다${as(kept)}`,
  "state-file-behind": ({ file, kept }) => `${file}에 최근 변경이 없습니다${as(kept)}`,
  "state-file-damaged": ({ file, damage, kept }) =>
    `${withParticle(file, "이/가")} 손상되었습니다 (${damageOf(damage)})${as(kept)}`,
  "state-began-anew": () => "새로 시작했습니다",
  "state-from-backup": ({ file }) => `${file}에서 복구했습니다`,
  "state-brought-forward": ({ file, event, changes, more }) => {
    const shown = changes.map(({ id, from, to }) => `${id} ${from} → ${to}`).join(", ");
    const what = changes.length === 0 ? "바뀐 태스크 없음" : more === 0 ? shown : `${shown} 외 ${more}개`;
    return `${withParticle(file, "으로/로")} 이벤트 ${event}까지 되살렸습니다: ${what}`;
  },
  "state-file-odd": ({ file, what }) => `${file}: ${oddity(what)}`,
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
