import { describe, expect, it } from "vitest";
import { answerFailure, loginsIn, stopFailure } from "../../../src/adapters/agent/acp/failure.ts";
import { forced } from "../../../src/adapters/agent/turns.ts";
import { fromFailure } from "../../../src/engine/attempt/verdict.ts";
import type { AgentFailure } from "../../../src/ports/index.ts";
import { reasonText } from "../../../src/text/index.ts";
import { failureOf, talkTo, turn } from "./acp-talk.ts";

const limits = { wallMs: 3_600_000, idleMs: 8_000 };
const both = (failure: AgentFailure | undefined) => [failure?.message, reasonText(failure?.reason, "ko")];

describe("what Espalier itself says of a turn that came to nothing", () => {
  it.each([
    [forced("idle", "new", limits), "new made no progress for 8 s", "new가 8초 동안 진전이 없습니다"],
    [
      forced("idle", "new", { ...limits, idleMs: 300 }, "wrote-nothing"),
      "new wrote nothing for 300 ms",
      "new가 300ms 동안 아무것도 출력하지 않았습니다",
    ],
    [
      forced("wall-clock", "new", limits),
      "new worked longer than 60 min",
      "new가 60분보다 오래 작업했습니다",
    ],
    [forced("cancelled", "new", limits), "new was cancelled", "new: 취소됨"],
    [stopFailure("new", "max_tokens"), "new came to its limit of tokens", "new가 토큰 한도에 이르렀습니다"],
    [
      stopFailure("new", "max_turn_requests"),
      "new came to its limit of turns",
      "new가 턴 한도에 이르렀습니다",
    ],
    [stopFailure("new", "refusal"), "new refused to go on", "new가 계속하기를 거부했습니다"],
    [stopFailure("new", "cancelled"), "new gave its turn up", "new가 턴을 포기했습니다"],
    [
      stopFailure("new", "else"),
      "new ended a turn without a known reason",
      "new가 알려진 이유 없이 턴을 끝냈습니다",
    ],
  ])("[AC59] is told in each language: %#", (failure, english, korean) => {
    expect(both(failure)).toEqual([english, korean]);
  });

  it("[AC58] names all the logins that are offered in the reason of a task, however much the agent says", () => {
    const logins = loginsIn({
      authMethods: [
        { name: "Log in with Google" },
        {
          name: "Use Gemini API key",
          description: "Requires setting the `GEMINI_API_KEY` environment variable",
        },
        { name: "Vertex AI" },
      ],
    });
    const error = { code: -32_000, message: "Authentication required\nnow" };
    const { reason } = fromFailure("gemini", answerFailure("gemini", error, logins), "", 0, "en");
    const all = "Use Gemini API key (Requires setting the `GEMINI_API_KEY` environment variable); Vertex AI";
    expect(reasonText(reason, "en")).toBe(`gemini: Authentication required: Log in with Google; ${all}`);
  });

  it.each([
    ["future", {}, "puppet가 ACP 버전 1이 아니라 버전 2를 씁니다"],
    ["silent", {}, "puppet가 0.6초 안에 응답하지 않았습니다. ACP를 지원하는 프로그램인가요?"],
    ["models", { model: "huge" }, "puppet에는 모델 huge가 없습니다. 있는 것: small, large"],
    ["plain", { model: "huge" }, "puppet에는 모델 선택이 없습니다: `model: huge`를 빼세요"],
  ])("[AC59] is told of an agent over the protocol, too: %s", async (behaviour, settings, korean) => {
    const talk = await talkTo(
      behaviour,
      {},
      { handshakeMs: behaviour === "silent" ? 600 : 60_000, settings },
    );
    expect(both(failureOf((await turn(talk)).end))[1]).toBe(korean);
  });
});
