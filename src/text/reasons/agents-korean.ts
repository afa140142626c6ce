import type { AgentRefusalArgs, AgentTurnArgs, FileTrouble } from "../../ports/index.ts";
import { particle, withParticle } from "../particle.ts";
import { type CatalogueOf, listing } from "./catalogue.ts";
import { KOREAN_TURNS } from "./turns-korean.ts";

const some = listing(more => ` 외 ${more}개`);

const getAgent = (install: readonly string[]) => [
  "하나를 설치해 로그인한 뒤: espalier run --agent auto",
  ...install.map(line => `  ${line}`),
  "다른 프로그램도 쓸 수 있습니다: espalier run --command 'my-agent --flags' (알려진 에이전트 목록: espalier agents)",
  "에이전트 없이 실행 전체를 보려면: espalier demo",
];

const TROUBLES: Readonly<Record<Exclude<FileTrouble, object>, string>> = {
  nameless: "이름 없음",
  missing: "파일 없음",
  folder: "폴더임",
  irregular: "일반 파일이 아님",
  "not-executable": "이 사용자에게 실행 권한 없음",
  foreign: "다른 종류의 머신용으로 빌드됨",
};

const troubled = (file: string, trouble: FileTrouble) =>
  `${file} (${typeof trouble === "string" ? TROUBLES[trouble] : `사용할 수 없음: ${trouble.code}`})`;

/** Why a run does not begin with its agents, or a turn of one came to nothing, in Korean. */
export const KOREAN_AGENTS: CatalogueOf<AgentRefusalArgs & AgentTurnArgs> = {
  ...KOREAN_TURNS,
  "no-such-agent": ({ agent, tasks }) =>
    `"${agent}"${particle(agent, "이/")}라는 에이전트가 없습니다${tasks.length > 0 ? ` (필요한 태스크: ${tasks.join(", ")})` : ""}`,
  "agents-known": ({ agents, guess, isLead }) =>
    `${isLead ? "lead는 리드 전용 이름입니다; " : ""}사용할 수 있는 에이전트: ${agents.join(", ")}${guess === undefined ? "" : `; 혹시 ${guess}인가요?`}`,
  "give-command": () =>
    "명령을 지정하세요: espalier run의 --command '에이전트 --옵션' 또는 espalier.yaml의 command:",
  "program-not-found": ({ program, searched, unfit }) =>
    `프로그램 ${withParticle(program, "을/를")} 찾을 수 없습니다: ${searched.length === 0 ? "PATH에 찾을 폴더가 없습니다" : `찾은 곳 ${searched.join(", ")}`}${unfit === undefined ? "" : `; ${troubled(unfit.file, unfit.trouble)}`}`,
  "program-relative": ({ program }) =>
    `프로그램 ${withParticle(program, "이/가")} 어느 폴더를 기준으로 하는지 알 수 없습니다. 절대 경로를 적으세요`,
  "program-unfit": ({ file, trouble }) => `실행할 수 없는 프로그램: ${troubled(file, trouble)}`,
  "script-unfit": ({ program, file, trouble }) =>
    `${withParticle(program, "은/는")} 있지만 실행할 파일을 쓸 수 없습니다: ${troubled(file, trouble)}`,
  "agent-too-old": ({ agent, version, needs }) =>
    `에이전트 ${agent} 버전이 낮습니다: ${version}, ${needs} 이상이 필요합니다`,
  "cannot-review": ({ agent, by }) =>
    `에이전트 ${withParticle(agent, "은/는")} 종료 코드만 알려 주므로 검토할 수 없습니다 (지정한 곳: ${by})`,
  "name-reviewer": () => "코딩 에이전트를 지정하거나 diff를 읽는 명령을 지정하세요: review: { command: … }",
  "review-needs-git": () => "review.required: true에는 커밋이 있는 git 저장소와 워크트리가 필요합니다",
  "get-diffs": () =>
    "git init 후 첫 커밋을 하세요; review: { required: false }로 두면 작업이 합쳐지고 검토되지 않았다고 표시됩니다",
  "get-agent": ({ install, isOld }) =>
    install === undefined
      ? `${isOld ? "업데이트" : "설치"}하거나 명령을 고치세요; 아무것도 시작하지 않았습니다`
      : `${isOld ? "업데이트" : "설치"}하세요 (${install}); 아무것도 시작하지 않았습니다`,
  "no-run-blocks": ({ tasks }) =>
    `shell 에이전트는 태스크의 run: 블록을 실행합니다; 블록이 없는 태스크 ${tasks.names.length + tasks.more}개: ${some(tasks)}`,
  "choose-agent": ({ agent }) =>
    `run: 블록을 추가하거나 에이전트에 맡기세요: espalier run --agent auto는 ${withParticle(agent, "을/를")} 선택합니다`,
  "no-agent-yet": ({ loggedOut, install }) =>
    loggedOut.length === 0
      ? [
          "run: 블록을 추가하거나 코딩 에이전트에 맡기세요. 여기에는 설치된 것이 없습니다:",
          ...getAgent(install),
        ].join("\n")
      : `run: 블록을 추가하거나 에이전트에 맡기세요: 한 번 직접 실행해 로그인한 뒤(${loggedOut.join(", ")}) espalier run --agent auto`,
  "no-agent-on-path": ({ programs }) => `PATH에 코딩 에이전트가 없습니다 (찾아본 것: ${programs.join(", ")})`,
  "no-price": ({ agent }) =>
    `${withParticle(agent, "은/는")} 비용을 알려 주지 않고 가격도 없어 금액 한도에 잡히지 않습니다. budget: { prices: { ${agent}: { input, output } } }로 가격을 정하세요`,
  "not-logged-in": ({ agent }) => `에이전트 ${agent}에 로그인되어 있지 않습니다`,
  "log-in-to": ({ agent }) =>
    `${withParticle(agent, "을/를")} 직접 실행해 로그인하거나, 환경 변수에 키를 설정하세요`,
  "none-logged-in": ({ agents }) => `로그인된 코딩 에이전트가 없습니다 (설치됨: ${agents.join(", ")})`,
  "look-at-agents": ({ install }) => getAgent(install).join("\n"),
  "log-in": ({ agent }) => `그중 하나에 로그인하거나 직접 지정하세요: --agent ${agent}`,
  "agent-refused": ({ agent, next }) =>
    `서비스가 ${agent} 계정을 거부함; ${withParticle(next, "이/가")} 이어받음`,
  "agent-endless": ({ agent }) =>
    `${withParticle(agent, "이/가")} 제한 안에 끝나지 않아 더 기다리지 않음; 아직 그 폴더에서 작업하고 있을 수 있음`,
  "agent-event": ({ agent, said }) =>
    `${withParticle(agent, "이/가")} 알린 것이 에이전트 이벤트가 아님: ${said}`,
  "keys-withheld": ({ agent, said, names }) =>
    `${said} (환경 변수 ${names.join(", ")}: ${agent}에 넘기지 않음; 필요한 것은 agents.${agent}.env에 적습니다)`,
};
