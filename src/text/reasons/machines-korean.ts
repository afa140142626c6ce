import type { MachineReasonArgs } from "../../ports/index.ts";
import { withParticle } from "../particle.ts";
import type { CatalogueOf } from "./catalogue.ts";

/** What becomes of work on other machines, in Korean. */
export const KOREAN_MACHINES: CatalogueOf<MachineReasonArgs> = {
  "machine-lost": ({ said }) => `작업하던 머신을 잃음: ${said}`,
  "work-not-taken": ({ said }) => `다른 머신의 작업을 받지 못함: ${said}`,
  "stopped-without-hub": ({ url }) => `${url}에 연결되지 않는 동안 실행을 중지했습니다`,
  "stopped-without-machines": () => "실행을 중지했지만 머신이 30초 안에 에이전트를 끝내지 않았습니다",
  "agents-go-on": () =>
    "다른 머신의 에이전트는 10분까지 계속합니다. 허브가 돌아오면 espalier resume이 이어받습니다",
  "hub-away": ({ said }) => `허브에 연결할 수 없어 기다리는 중: ${said}`,
  "hub-full": ({ said }) => `공간이 생길 때까지 허브가 더 받지 않아, 새 작업은 기다리는 중: ${said}`,
  "hub-has-room": ({ url }) => `허브 ${url}에 다시 공간이 있음`,
  "hub-reached": ({ url }) => `허브 ${url}에 다시 연결됨`,
  "not-copied": ({ said }) =>
    `허브에 최신 상태의 사본이 없어, 다른 머신이 여기서부터 이어 갈 수 없음: ${said}`,
  "hub-not-left": ({ said }) =>
    `이제 이 머신만 실행을 진행하지만, 다른 머신이 진행하는지 허브에 묻지도 알리지도 못함: ${said}`,
  "run-taken-over": ({ host, at }) =>
    `${host}의 실행을 이어받음 (${new Date(at).toISOString().slice(0, 19)}Z 시점의 상태)`,
  "brought-anew": () => "그동안 다른 머신이 실행을 더 진행해, 다시 가져옴",
  "no-machine": ({ agent, labels = [] }) =>
    `${[agent, ...labels].join(", ")}: 갖춘 머신이 허브에 없어 기다리는 중`,
  "no-resource": ({ resources }) =>
    `${resources.join(", ")}: 제공하는 머신이 허브에 없어, 쓰려는 태스크가 기다리는 중`,
  "resource-in-use": ({ task, resource, machines }) =>
    `${task} 대기: ${machines.join(", ")}의 ${withParticle(resource, "이/가")} 모두 사용 중`,
  "machines-have": ({ agents: [agent, ...others] }) =>
    agent === undefined
      ? "run: 블록을 적거나, 머신이 코딩 에이전트를 제공하게 하세요. 그 머신의 espalier agents가 무엇이 있는지 보여 줍니다"
      : `run: 블록을 적거나, 머신에 있는 에이전트를 쓰세요: espalier run --agent ${agent}${others.length === 0 ? "" : ` (또는 ${others.join(", ")})`}`,
  "labels-here": ({ labels }) => `${labels.join(", ")} 머신이 필요하지만 --on이 없어 여기서 작업함`,
  "machine-refuses": ({ said }) => `머신이 작업을 받지 않음: ${said}`,
};
