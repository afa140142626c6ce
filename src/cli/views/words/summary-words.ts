import type { Check, ContractProblem, Refusal } from "../../../summary/index.ts";
import { type Locale, withParticle } from "../../../text/index.ts";

/** What `summarize --why` says, in one language. Arguments are already safe to show. */
export interface SummaryWords {
  readonly level: (level: number, tokens: number, of: number) => string;
  readonly whole: string;
  readonly unread: (characters: number) => string;
  readonly contract: string;
  readonly handsOver: string;
  readonly problems: Readonly<Record<ContractProblem["kind"], (field: string, found: string) => string>>;
  readonly evaluation: string;
  readonly checks: Readonly<Record<Check["name"], string>>;
  readonly states: Readonly<Record<Check["state"], string>>;
  readonly expected: (expected: string, found: string) => string;
  readonly lostHere: string;
  readonly artifacts: string;
  readonly model: (calls: number, input: number, output: number) => string;
  readonly refused: (reason: string, message: string) => string;
  readonly reasons: Readonly<Record<Refusal["reason"], string>>;
  readonly extracted: string;
}

const ENGLISH: SummaryWords = {
  level: (level, tokens, of) => `level ${level}: ${tokens} of ${of} tokens`,
  whole: "the output is that short: nothing was left out",
  unread: characters => `${characters} characters in the middle were not read: the output is too long`,
  contract: "contract",
  handsOver: "hands over",
  problems: {
    unreadable: (field, found) => `${field} does not parse: ${found}`,
    "not-a-number": (field, found) => `${field} is no number: ${found}`,
    "out-of-range": (field, found) => `${field} is out of range: ${found}`,
    conflict: (field, found) => `${field} is stated again, differently: ${found}`,
    "unknown-level": (_, found) => `unknown VS level: ${found}`,
    missing: field => `no ${field} stated`,
  },
  evaluation: "evaluation",
  checks: {
    phases: "phases",
    "t-score": "T-Score spread",
    "self-critique": "self-critique",
    provenance: "provenance",
    "mode-collapse": "mode collapse",
  },
  states: { passed: "passed", failed: "FAILED", missing: "nothing to check" },
  expected: (expected, found) =>
    found === "" ? `expected ${expected}` : `expected ${expected}, found ${found}`,
  lostHere: "passes in the output, not in this level",
  artifacts: "artifact index, kept outside of the summary",
  model: (calls, input, output) => `model: ${calls} calls, ${input} tokens in, ${output} out`,
  refused: (reason, message) => `answer refused, ${reason}: ${message}`,
  reasons: {
    missing: "not installed",
    auth: "not logged in",
    quota: "out of quota",
    overloaded: "overloaded",
    timeout: "too slow",
    network: "not reached",
    malformed: "not what was asked for",
    refused: "refused by the provider",
    "not-smaller": "no smaller than its input",
    "facts-lost": "required facts lost",
  },
  extracted: "done without the model",
};

const KOREAN: SummaryWords = {
  level: (level, tokens, of) => `수준 ${level}: ${of} 토큰 중 ${tokens} 토큰`,
  whole: "출력이 짧아 아무것도 빠지지 않았습니다",
  unread: characters => `출력이 너무 길어 가운데 ${characters}자를 읽지 않았습니다`,
  contract: "계약",
  handsOver: "인계",
  problems: {
    unreadable: (field, found) => `${withParticle(field, "을/를")} 해석할 수 없음: ${found}`,
    "not-a-number": (field, found) => `${withParticle(field, "이/가")} 숫자가 아님: ${found}`,
    "out-of-range": (field, found) => `${withParticle(field, "이/가")} 범위를 벗어남: ${found}`,
    conflict: (field, found) => `${withParticle(field, "이/가")} 다르게 두 번 적힘: ${found}`,
    "unknown-level": (_, found) => `알 수 없는 VS 수준: ${found}`,
    missing: field => `${withParticle(field, "이/가")} 적혀 있지 않음`,
  },
  evaluation: "평가",
  checks: {
    phases: "단계",
    "t-score": "T-Score 분포",
    "self-critique": "자기 비판",
    provenance: "출처",
    "mode-collapse": "모드 붕괴",
  },
  states: { passed: "통과", failed: "실패", missing: "확인할 것 없음" },
  expected: (expected, found) => (found === "" ? `기대: ${expected}` : `기대: ${expected}, 실제: ${found}`),
  lostHere: "출력에서는 통과하지만 이 수준에서는 아님",
  artifacts: "요약 밖에 보관되는 산출물 목록",
  model: (calls, input, output) => `모델: 호출 ${calls}회, 입력 ${input} 토큰, 출력 ${output} 토큰`,
  refused: (reason, message) => `답을 쓰지 않음, ${reason}: ${message}`,
  reasons: {
    missing: "설치되지 않음",
    auth: "로그인되지 않음",
    quota: "할당량 소진",
    overloaded: "과부하",
    timeout: "너무 느림",
    network: "연결되지 않음",
    malformed: "요청한 형식이 아님",
    refused: "제공자가 거부함",
    "not-smaller": "입력보다 작지 않음",
    "facts-lost": "필수 사실을 잃음",
  },
  extracted: "모델 없이 처리함",
};

/** The words of a language. */
export function summaryWordsFor(locale: Locale): SummaryWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
