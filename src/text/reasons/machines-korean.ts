import type { LossKind, MachineReasonArgs, MachineRefusal } from "../../ports/index.ts";
import { withParticle } from "../particle.ts";
import type { CatalogueOf } from "./catalogue.ts";
import { hubWords } from "./hub-korean.ts";

const LOST: Readonly<Record<LossKind, (machine: string) => string>> = {
  anew: machine => `${machine}, 다시 시작됨`,
  silent: machine => `${machine}, 응답 없음`,
  token: machine => `${machine}, 토큰이 취소되었거나 만료됨`,
  "given-up": machine => `${machine}, 사용자가 제외함`,
  full: machine => `${machine}, 디스크가 가득 참`,
  coordinator: () => "실행을 진행하던 프로세스에서 소식이 없음",
  taken: () => "다른 프로세스가 이 실행을 넘겨받음",
  unknown: () => "허브가 이 작업을 더 이상 알지 못함",
  unread: () => "머신과 함께 결과 보고도 사라짐",
};

const REFUSED: Readonly<Record<NonNullable<MachineRefusal["how"]>, (of: string) => string>> = {
  agent: of => `소유자가 ${of} 에이전트의 실행을 허용하지 않음`,
  repository: of => `소유자가 저장소 ${of}의 작업을 허용하지 않음`,
  bare: () => "저장소 없이 온 작업임",
  setup: of => `폴더를 준비하는 명령이 실패함 (${of})`,
};

/** Machines that are named of many. */
const NAMED = 4;

function named(machines: readonly string[]): string {
  const more = machines.length - NAMED;
  return `${machines.slice(0, NAMED).join(", ")}${more > 0 ? ` 외 ${more}대` : ""}`;
}

/** What becomes of work on other machines, in Korean. */
export const KOREAN_MACHINES: CatalogueOf<MachineReasonArgs> = {
  "machine-lost": ({ said, how, machine = "" }) =>
    `작업하던 머신을 잃음: ${how === undefined ? said : LOST[how](machine)}`,
  "work-not-taken": ({ said }) => `다른 머신의 작업을 받지 못함: ${said}`,
  "work-hidden": ({ path }) => `${withParticle(path, "은/는")} 별도의 저장소라서 그 파일을 잃게 됩니다`,
  "work-kept": ({ said, ref }) => `${said}; 보관한 곳: ${ref}`,
  "sent-unknown": () => "무엇을 보냈는지 더는 알 수 없습니다",
  "stopped-without-hub": ({ url }) => `${url}에 연결되지 않는 동안 실행을 중지했습니다`,
  "stopped-without-machines": () => "실행을 중지했지만 머신이 30초 안에 에이전트를 끝내지 않았습니다",
  "agents-go-on": () =>
    "다른 머신의 에이전트는 10분까지 계속합니다. 허브가 돌아오면 espalier resume이 이어받습니다",
  "hub-away": said => `허브에 연결할 수 없어 기다리는 중: ${hubWords(said)}`,
  "hub-full": said => `공간이 생길 때까지 허브가 더 받지 않아, 새 작업은 기다리는 중: ${hubWords(said)}`,
  "hub-has-room": ({ url }) => `허브 ${url}에 다시 공간이 있음`,
  "hub-reached": ({ url }) => `허브 ${url}에 다시 연결됨`,
  "not-copied": ({ said }) =>
    `허브에 최신 상태의 사본이 없어, 다른 머신이 여기서부터 이어 갈 수 없음: ${said}`,
  "hub-not-left": said =>
    `이제 이 머신만 실행을 진행하지만, 다른 머신이 진행하는지 허브에 묻지도 알리지도 못함: ${hubWords(said)}`,
  "run-taken-over": ({ host, at }) =>
    `${host}의 실행을 이어받음 (${new Date(at).toISOString().slice(0, 19)}Z 시점의 상태)`,
  "brought-anew": () => "그동안 다른 머신이 실행을 더 진행해, 다시 가져옴",
  "no-machine": ({ agent, labels = [] }) =>
    `${[agent, ...labels].join(", ")}: 갖춘 머신이 허브에 없어 기다리는 중`,
  "repository-not-taken": ({ repository, agent, labels = [] }) =>
    `저장소 ${repository}: ${[agent, ...labels].join(", ")} 갖춘 머신 중 소유자의 repositories:가 허용하는 머신이 허브에 없어 기다리는 중`,
  "machines-drained": ({ machines, agent, labels = [], url }) =>
    `${named(machines)} 비우는 중이고, ${[agent, ...labels].join(", ")} 갖춘 다른 머신이 허브에 없어 기다리는 중. 머신을 시작하거나 다시 일을 받게 하세요: espalier worker drain ${machines[0]} --off --hub ${url}`,
  "machines-full": ({ machines, agent, labels = [] }) =>
    `${named(machines)} 디스크가 가득 찼고, ${[agent, ...labels].join(", ")} 일을 받는 다른 머신이 허브에 없어 기다리는 중. 그곳의 디스크를 비우거나 머신을 시작하세요`,
  "no-resource": ({ resources }) =>
    `${resources.join(", ")}: 제공하는 머신이 허브에 없어, 쓰려는 태스크가 기다리는 중`,
  "resource-in-use": ({ task, resource, machines }) =>
    `${task} 대기: ${machines.join(", ")}의 ${withParticle(resource, "이/가")} 모두 사용 중`,
  "machines-have": ({ agents: [agent, ...others] }) =>
    agent === undefined
      ? "run: 블록을 적거나, 머신이 코딩 에이전트를 제공하게 하세요. 그 머신의 espalier agents가 무엇이 있는지 보여 줍니다"
      : `run: 블록을 적거나, 머신에 있는 에이전트를 쓰세요: espalier run --agent ${agent}${others.length === 0 ? "" : ` (또는 ${others.join(", ")})`}`,
  "labels-here": ({ labels }) => `${labels.join(", ")} 머신이 필요하지만 --on이 없어 여기서 작업함`,
  "machine-refuses": ({ said, how, of = "", machine, others = [] }) =>
    `${machine === undefined ? "머신이" : `머신 ${withParticle(machine, "이/가")}`} 작업을 받지 않음: ${how === undefined ? said : REFUSED[how](of)}${others.length === 0 ? "" : ` (먼저 받지 않은 머신: ${others.join(", ")})`}`,
};
