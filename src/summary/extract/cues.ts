/** What a statement does for its reader, as bits. */
export const DECIDES = 1;
export const BINDS = 2;
export const DENIES = 4;
export const LIMITS = 8;
export const STATES = 16;
export const LEADS_ON = 32;
export const WARNS = 64;
export const REASONS = 128;
export const REJECTS = 256;
export const AIMS = 512;

/** What says one of these may not be parted from what it is said about. */
export const KEEPS: number = BINDS | DENIES | LIMITS | REJECTS;

/** Words of English, whole; of Korean, phrases wherever they stand, for endings hang on them. */
const WORDS: readonly (readonly [cue: number, english: string, korean: string])[] = [
  [
    DECIDES,
    "decision decisions decided decide decides chosen chose choose adopt adopted selected instead kept keep keeps use used uses reuse extend extended replaced replaces resolution resolved verdict recommended recommend recommendation prefer agreed approach design locked",
    "결정|채택|선택|확정|합의|사용|대체|변경|통일|적용|추천|권장|도입",
  ],
  [
    BINDS,
    "must never always only forbid forbids forbidden mandatory shall cannot constraint constraints invariant rule rules guarantee guarantees exactly sacred permanent ensure ensures strictly mandates enforce enforced enforces",
    "반드시|금지|절대|필수|불가|항상|강제|정확히|해야|말 것|마세요|하지 마|제약|규칙|원칙|한해|때만|에만|으로만|까지만",
  ],
  [
    DENIES,
    "not no none without don't doesn't isn't aren't won't can't couldn't didn't neither nor nothing zero",
    "않|없|아니|아님|미포함|미구현|미완|못하|못한|못했|안 됨|안 된|말고",
  ],
  [
    LIMITS,
    "except unless until but however although though yet exclude excludes excluded excluding exception if when only before after",
    "제외|단, |다만|그러나|하지만|예외|경우|이전|까지|전에|이상|이하|미만|초과",
  ],
  [
    STATES,
    "done complete completed passed passes pass failed fails fail failing verified satisfied shipped merged landed blocked status green red partial achieved fixed resolved open works working active current currently now today",
    "완료|통과|실패|성공|달성|진행 중|상태|해결|확인됨|검증|중단|남음|동작|정상",
  ],
  [
    LEADS_ON,
    "next todo follow-up follow-ups remaining remains remain pending deferred defer defers later will should need needs needed open plan planned future handoff before unresolved unclear",
    "다음|남은|향후|예정|필요|후속|미정|보류|계획|이후|할 일|미해결",
  ],
  [
    WARNS,
    "warning risk risks risky caveat gotcha gap gaps careful caution bug broken wrong leak leaks race unsafe danger fragile problem problems issue issues limitation limitations debt cause caused causes mismatch missing weak confounded misleading sensitive slow fails",
    "주의|위험|경고|문제|한계|누락|오류|버그|원인|불일치|부채|취약|충돌|고장",
  ],
  [
    REASONS,
    "because reason rationale since so therefore avoid avoids avoiding why due prevents prevent preventing motivation",
    "이유|근거|때문|위해|방지|왜냐|따라서|므로",
  ],
  [
    REJECTS,
    "rejected reject alternative alternatives considered eliminated ruled discarded dismissed superseded",
    "대안|기각|제거된|배제|폐기|검토한",
  ],
  [
    AIMS,
    "goal goals objective objectives purpose aim aims scope mission problem outcome",
    "목표|목적|배경|개요|범위",
  ],
];

const ENGLISH: ReadonlyMap<string, number> = englishOf();
const KOREAN: readonly (readonly [cue: number, phrases: readonly string[]])[] = WORDS.map(
  ([cue, , korean]) => [cue, korean.split("|")],
);

/** Characters of a text that are read for cues: pieces are no longer. */
const LONGEST = 600;

/** What a text does, by its words; nothing in other languages. */
export function cuesOf(text: string): number {
  const read = text.slice(0, LONGEST).toLowerCase();
  let cues = 0;
  for (const [word] of read.matchAll(/[a-z_][a-z'_-]{1,30}/g)) cues |= ENGLISH.get(word) ?? 0;
  if (!/[\uac00-\ud7a3]/.test(read)) return cues;
  for (const [cue, phrases] of KOREAN) if (phrases.some(phrase => read.includes(phrase))) cues |= cue;
  return cues;
}

function englishOf(): Map<string, number> {
  const words = new Map<string, number>();
  for (const [cue, english] of WORDS)
    for (const word of english.split(" ")) words.set(word, (words.get(word) ?? 0) | cue);
  return words;
}
