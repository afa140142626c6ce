import type { Locale } from "../../../text/index.ts";

/** What `espalier hub` and `espalier worker` say, in one language. Arguments are already safe to show. */
export interface MachinesWords {
  readonly serves: (url: string, state: string) => string;
  readonly licence: string;
  readonly hubFull: (folder: string, mebibytes: number) => string;
  readonly hubFailed: (call: string, said: string) => string;
  readonly engineEnded: (said: string) => string;
  readonly tokenFor: (name: string, days: number, isForRun: boolean) => string;
  readonly expired: string;
  readonly until: (day: string) => string;
  readonly revoked: (count: number) => string;
  readonly noTokens: string;

  readonly joined: (machine: string, url: string, agents: string) => string;
  readonly missing: (agent: string, found: string) => string;
  readonly waitsFor: (tasks: string) => string;
  readonly left: (machine: string) => string;
  readonly unreachable: (said: string) => string;
  readonly full: (folder: string, mebibytes: number) => string;
  readonly notSpawned: (task: string, said: string) => string;
  readonly begins: (task: string, agent: string) => string;
  readonly over: Readonly<Record<"closed" | "dropped", (task: string) => string>>;
  readonly kept: (task: string, where: string) => string;
  readonly drains: string;
  readonly silent: (seconds: number) => string;
  readonly there: string;
  readonly diskFull: string;
  readonly waiting: (count: number) => string;
  readonly noMachines: (url: string) => string;
}

const ENGLISH: MachinesWords = {
  serves: (url, state) => `hub ${url} (state in ${state}; Ctrl+C stops it, nothing is lost)`,
  licence: "Its engine is your own copy of Restate, whose server is under the Business Source License 1.1.",
  hubFailed: (call, said) => `${call} could not be answered: ${said}`,
  engineEnded: said => `its engine has ended and is started again: ${said}`,
  hubFull: (folder, mebibytes) =>
    `${folder} has less than ${mebibytes} MiB free: no more work is taken until it has`,
  tokenFor: (name, days, isForRun) =>
    isForRun
      ? `for ${name}: ESPALIER_HUB_TOKEN in the environment of espalier run --on; it ends in ${days} days`
      : `for machine ${name}: ESPALIER_HUB_TOKEN in the environment of espalier worker start; it ends in ${days} days`,
  expired: "expired",
  until: day => `until ${day}`,
  revoked: count => `revoked ${count}`,

  joined: (machine, url, agents) => `machine ${machine} works for ${url} with ${agents}`,
  missing: (agent, found) => `${agent} is not offered: ${found}`,
  waitsFor: tasks => `takes nothing more and waits for ${tasks}; Ctrl+C again ends them`,
  left: machine => `machine ${machine} works no more`,
  unreachable: said => `the hub is not reached, and is asked again until it is: ${said}`,
  full: (folder, mebibytes) =>
    `${folder} has less than ${mebibytes} MiB free: nothing more is taken until it has`,
  notSpawned: (task, said) =>
    `what --spawn started for ${task} was not there: ${said}; it goes back to the hub`,
  begins: (task, agent) => `${task} (${agent}) begins`,
  over: { closed: task => `${task} is closed`, dropped: task => `${task} is dropped` },
  kept: (task, where) => `nobody takes the work of ${task} any more: it is kept in ${where}`,
  drains: "drains",
  silent: seconds => `silent for ${seconds} s`,
  there: "there",
  diskFull: "disk full",
  waiting: count => `${count} waiting for a slot`,
  noMachines: url => `no machine is there yet; one joins with: espalier worker start --hub ${url}`,
  noTokens: "there is no token yet; one for a machine: espalier hub token add NAME",
};

const KOREAN: MachinesWords = {
  serves: (url, state) => `허브 ${url} (상태: ${state}. Ctrl+C로 멈추며 아무것도 잃지 않습니다)`,
  licence: "엔진은 직접 설치한 Restate이며, 그 서버의 사용 조건은 BUSL-1.1입니다.",
  hubFailed: (call, said) => `${call} 요청에 답하지 못했습니다: ${said}`,
  engineEnded: said => `엔진이 끝나 다시 시작합니다: ${said}`,
  hubFull: (folder, mebibytes) =>
    `${folder}에 남은 공간이 ${mebibytes} MiB보다 적어, 생길 때까지 새 작업을 맡지 않습니다`,
  tokenFor: (name, days, isForRun) =>
    isForRun
      ? `${name}: espalier run --on의 환경에 ESPALIER_HUB_TOKEN으로 두세요. ${days}일 뒤에 끝납니다`
      : `머신 ${name}: espalier worker start의 환경에 ESPALIER_HUB_TOKEN으로 두세요. ${days}일 뒤에 끝납니다`,
  expired: "만료됨",
  until: day => `${day}까지`,
  revoked: count => `${count}개를 취소했습니다`,

  joined: (machine, url, agents) => `머신 ${machine}: ${url}에서 일을 받습니다 (${agents})`,
  missing: (agent, found) => `맡지 않는 에이전트 ${agent}: ${found}`,
  waitsFor: tasks => `더 맡지 않고 끝나기를 기다립니다: ${tasks}. Ctrl+C를 다시 누르면 끝냅니다`,
  left: machine => `머신 ${machine}: 일을 마쳤습니다`,
  unreachable: said => `허브에 연결할 수 없어 연결될 때까지 다시 시도함: ${said}`,
  full: (folder, mebibytes) =>
    `${folder}에 남은 공간이 ${mebibytes} MiB보다 적어, 생길 때까지 더 맡지 않습니다`,
  notSpawned: (task, said) => `--spawn으로 시작한 것이 응답하지 않아 ${task} 작업을 허브에 돌려줌: ${said}`,
  begins: (task, agent) => `${task} (${agent}) 시작`,
  over: { closed: task => `${task} 끝남`, dropped: task => `${task} 거둬 감` },
  kept: (task, where) => `아무도 받지 않는 작업 결과를 보관했습니다: ${task} (${where})`,
  drains: "비우는 중",
  silent: seconds => `${seconds}초 동안 응답 없음`,
  there: "연결됨",
  diskFull: "디스크 가득 참",
  waiting: count => `자리를 기다리는 것 ${count}개`,
  noMachines: url => `아직 머신이 없습니다. 참여시키려면: espalier worker start --hub ${url}`,
  noTokens: "아직 토큰이 없습니다. 머신에 줄 토큰: espalier hub token add NAME",
};

/** The words in a language. */
export function machinesWords(locale: Locale): MachinesWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
