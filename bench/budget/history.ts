import type { Passage } from "../../src/budget/index.ts";

/** A question, and the passages that answer it. */
export interface Question {
  readonly text: string;
  /** Ids of all passages that are needed. */
  readonly evidence: readonly string[];
}

export interface History {
  readonly passages: readonly Passage[];
  readonly questions: readonly Question[];
}

interface Fact {
  /** The passages that state it, in order. */
  readonly told: readonly string[];
  /** Which of them are evidence. */
  readonly evidence: readonly number[];
  /** Passages elsewhere that name the subject and answer nothing. */
  readonly noise: readonly string[];
  readonly question: string;
}

const SUBJECTS = (
  "login rate limiter|invoice export|thumbnail cache|search index|webhook retry|audit trail|session store|price feed|" +
  "upload scanner|mail digest|feature flags|report scheduler|image resizer|backup rotation|token refresh|device registry|" +
  "currency table|event replay|cart merge|address lookup"
).split("|");
const KOREAN = (
  "로그인 제한|청구서 내보내기|썸네일 캐시|검색 색인|웹훅 재시도|감사 기록|세션 저장소|시세 수신|업로드 검사|메일 요약|" +
  "기능 플래그|보고서 예약|이미지 변환|백업 순환|토큰 갱신|기기 등록|환율 표|이벤트 재생|장바구니 병합|주소 조회"
).split("|");
const SMALL_TALK = [
  "I read the file twice and the tests still pass on my machine",
  "the build took a while because the runner was cold",
  "nothing new from the reviewers today, we wait",
  "I would rather split this change in two before anyone looks at it",
  "the naming is not great but it follows what was there",
  "let us keep the discussion in the ticket so that others find it",
  "오늘은 리뷰가 밀려서 다음 작업부터 보겠습니다",
  "테스트는 통과했지만 로그가 너무 많이 남습니다",
  "이 변경은 둘로 나누는 편이 읽기 쉽습니다",
  "문서에 적힌 순서대로 다시 확인했습니다",
];

type Pick = <T>(from: readonly T[]) => T;

function english(subject: string, pick: Pick, value: number): Fact {
  const file = `src/${subject.replaceAll(" ", "_")}/${pick(["policy", "config", "worker", "limits"])}.ts`;
  return pick<() => Fact>([
    () => ({
      told: [`Decided: the ${subject} gives up after ${value} tries, because the vendor asked for it`],
      evidence: [0],
      noise: [`the ${subject} was discussed again, no change`, `who owns the ${subject}? nobody answered`],
      question: `How many tries does the ${subject} make before giving up?`,
    }),
    () => ({
      told: [`what do we do about the ${subject}?`, `set it to ${value} seconds and write that down`],
      evidence: [1],
      noise: [`the ${subject} came up in planning`, `a customer praised the ${subject}`],
      question: `What was the ${subject} set to?`,
    }),
    () => ({
      told: [`the number for the ${subject} lives in ${file} now, line ${value}`],
      evidence: [0],
      noise: [`someone renamed a test of the ${subject}`],
      question: `In which file is the number of the ${subject} kept?`,
    }),
    () => ({
      told: [
        `the ${subject} failed in staging`,
        `cause: ticket OPS-${value}, the clock of the host was wrong`,
        "restarted it, fine since",
      ],
      evidence: [0, 1],
      noise: [`the ${subject} has a dashboard of its own`],
      question: `Why did the ${subject} fail in staging?`,
    }),
  ])();
}

function korean(subject: string, pick: Pick, value: number): Fact {
  return pick<() => Fact>([
    () => ({
      told: [`결정: ${subject}은(는) ${value}번 실패하면 멈추기로 했습니다. 공급사가 요청했습니다`],
      evidence: [0],
      noise: [`${subject} 담당자가 누구인지 아직 모릅니다`],
      question: `${subject}은 몇 번 실패하면 멈추나요?`,
    }),
    () => ({
      told: [`${subject}의 값은 어떻게 할까요?`, `${value}초로 정하고 문서에 남기겠습니다`],
      evidence: [1],
      noise: [`고객이 ${subject} 화면을 칭찬했습니다`, `${subject} 이야기가 회의에서 나왔습니다`],
      question: `${subject}의 값은 몇 초로 정했나요?`,
    }),
    () => ({
      told: [`${subject}에 문제가 생겼습니다`, `원인은 OPS-${value}번 표에 적었고 서버 시각이 틀렸습니다`],
      evidence: [0, 1],
      noise: [`${subject}의 시험을 하나 더 추가했습니다`],
      question: `${subject}에 생긴 문제의 원인은?`,
    }),
  ])();
}

/** A history of sessions of several agents with planted facts among talk, `least` characters long at least. */
export function historyOf(next: () => number, least: number): History {
  const pick: Pick = from => from[Math.floor(next() * from.length)]!;
  const facts = [
    ...SUBJECTS.map(subject => english(subject, pick, 2 + Math.floor(next() * 900))),
    ...KOREAN.map(subject => korean(subject, pick, 2 + Math.floor(next() * 900))),
  ];
  const blocks: { readonly told: readonly string[]; readonly fact: Fact | undefined }[] = facts.flatMap(
    fact => [{ told: fact.told, fact }, ...fact.noise.map(told => ({ told: [told], fact: undefined }))],
  );
  let length = blocks.reduce((sum, { told }) => sum + told.join("").length, 0);
  while (length < least) {
    const told = [
      `${pick(SMALL_TALK)} (${pick(SUBJECTS)}, ${Math.floor(next() * 1000)}): ${pick(SMALL_TALK)}, ${pick(SMALL_TALK)}`,
    ];
    blocks.push({ told, fact: undefined });
    length += told[0]!.length;
  }
  for (let at = blocks.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [blocks[at], blocks[other]] = [blocks[other]!, blocks[at]!];
  }
  const passages: Passage[] = [];
  const questions: Question[] = [];
  for (const { told, fact } of blocks) {
    const ids = told.map((text, at) => {
      const id = String(passages.length);
      passages.push({
        id,
        group: `session ${Math.floor(passages.length / 25)}`,
        text: `${at % 2 === 0 ? "lead" : "worker"}: ${text}`,
      });
      return id;
    });
    if (fact !== undefined)
      questions.push({ text: fact.question, evidence: fact.evidence.map(at => ids[at]!) });
  }
  return { passages, questions };
}
