import type { Locale } from "./messages.ts";

/** What is noted beside a proof: what became of its review, and how several agents on one task did. Arguments are shown as they are. */
export interface EvidenceWords {
  readonly approved: (by: string, rounds: number) => string;
  /** A person has looked at it and said that it is good. */
  readonly approvedByPerson: (by: string, note: string) => string;
  readonly findings: (by: string, round: number) => string;
  /** Nobody reviewed it, and it landed. */
  readonly unreviewed: (why: string) => string;
  /** It waits for its review. */
  readonly waits: (why: string) => string;
  readonly tried: (agents: number) => string;
  readonly provedFirst: string;
  readonly wasEnded: string;
  readonly itsWork: (command: string) => string;
}

const ENGLISH: EvidenceWords = {
  approved: (by, rounds) => `REVIEW approved by ${by} after ${rounds} ${rounds === 1 ? "round" : "rounds"}`,
  approvedByPerson: (by, note) => `APPROVED by ${by}${note === "" ? "" : `: ${note}`}`,
  findings: (by, round) => `REVIEW findings of ${by}, round ${round}:`,
  unreviewed: why => `REVIEW did not take place: ${why}`,
  waits: why => `REVIEW ${why}`,
  tried: agents => `Tried by ${agents} at once:`,
  provedFirst: "was proved first",
  wasEnded: "was ended",
  itsWork: command => `its work: ${command}`,
};

const KOREAN: EvidenceWords = {
  approved: (by, rounds) => `검토: ${by} 승인 (${rounds}회)`,
  approvedByPerson: (by, note) => `승인: ${by}${note === "" ? "" : `: ${note}`}`,
  findings: (by, round) => `검토 ${round}회, ${by}의 지적:`,
  unreviewed: why => `검토 없음: ${why}`,
  waits: why => `검토 대기: ${why}`,
  tried: agents => `에이전트 ${agents}개가 동시에 시도:`,
  provedFirst: "가장 먼저 검증됨",
  wasEnded: "종료됨",
  itsWork: command => `작업: ${command}`,
};

/** The words of a language. */
export function evidenceWords(locale: Locale): EvidenceWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
