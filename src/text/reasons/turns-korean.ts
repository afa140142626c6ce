import type { AgentTurnArgs } from "../../ports/index.ts";
import { withParticle } from "../particle.ts";
import { type CatalogueOf, span } from "./catalogue.ts";

const LEFT_OFF: Readonly<Record<AgentTurnArgs["agent-left-off"]["why"], string>> = {
  tokens: "토큰 한도에 이르렀습니다",
  turns: "턴 한도에 이르렀습니다",
  refused: "계속하기를 거부했습니다",
  "gave-up": "턴을 포기했습니다",
  "no-reason": "알려진 이유 없이 턴을 끝냈습니다",
  "no-result": "결과 없이 끝났습니다. 출력이 중간에 잘렸습니다",
};

const KEYS = { mode: "모드", model: "모델", effort: "노력 수준" } as const;

/** Why a turn came to nothing, in Korean. */
export const KOREAN_TURNS: CatalogueOf<AgentTurnArgs> = {
  "agent-late": ({ agent, ms, why }) => {
    const time = span(ms, ["분", "초", "ms"]);
    const who = withParticle(agent, "이/가");
    switch (why) {
      case "at-work":
        return `${who} ${time}보다 오래 작업했습니다`;
      case "no-progress":
        return `${who} ${time} 동안 진전이 없습니다`;
      case "wrote-nothing":
        return `${who} ${time} 동안 아무것도 출력하지 않았습니다`;
      case "no-hello":
        return `${who} ${ms / 1_000}초 안에 응답하지 않았습니다. ACP를 지원하는 프로그램인가요?`;
    }
  },
  "agent-cancelled": ({ agent }) => `${agent}: 취소됨`,
  "agent-left-off": ({ agent, why }) => `${withParticle(agent, "이/가")} ${LEFT_OFF[why]}`,
  "agent-unruly": ({ agent, why }) => {
    const who = withParticle(agent, "이/가");
    if (why === "deaf") return `${who} 받은 답을 읽지 않습니다`;
    if (why === "no-session") return `${who} 쓸 수 있는 이름 없이 세션을 열었습니다`;
    if (why === "no-version") return `${who} ACP의 어느 버전을 쓰는지 알리지 않습니다`;
    return "version" in why
      ? `${who} ACP 버전 1이 아니라 ${withParticle(`버전 ${why.version}`, "을/를")} 씁니다`
      : `${who} 한 턴에 허가를 ${why.asked}번 요청했습니다`;
  },
  "agent-offers": ({ agent, key, wanted, offered }) =>
    offered === undefined
      ? `${agent}에는 ${KEYS[key]} 선택이 없습니다: \`${key}: ${wanted}\`를 빼세요`
      : `${agent}에는 ${KEYS[key]} ${withParticle(wanted, "이/가")} 없습니다. 있는 것: ${offered}`,
};
