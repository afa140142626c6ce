/** The parts of an acknowledgement below its head. */
export type Field = "items" | "impact" | "action" | "unclear" | "seen";

const NO_LETTERS = /[^\p{L}\p{N}]+/gu;
const WORD = /[\p{L}\p{N}]+/gu;
const DIGIT = /\d/;
const TOKEN = /[\p{L}\p{N}]+|[.,;:!?()|—–\n]/gu;

/** A name without case, marks and spaces, and without what stands behind it in parentheses. */
export function keyOf(name: string): string {
  const open = name.indexOf("(", 2);
  const bare = open < 0 ? name : name.slice(0, open);
  return bare.normalize("NFKC").toLowerCase().replace(NO_LETTERS, "");
}

/** The field whose name differs from a key in one letter, or in the order of two. */
export function misspelt(key: string): Field | undefined {
  if (key.length < 4 || key.length > 40 || DIGIT.test(key)) return undefined;
  for (const [name, field] of FIELD_OF) if (name.length > 3 && isTypo(key, name)) return field;
  return undefined;
}

function isTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  let behind = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const most = Math.min(a.length, b.length) - from;
  while (behind < most && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  const [left, right] = [a.slice(from, a.length - behind), b.slice(from, b.length - behind)];
  return (
    (left.length <= 1 && right.length <= 1) ||
    (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0])
  );
}

/** The words of a text in capitals; `_`, `-` and every mark part them. */
export function wordsOf(text: string): string[] {
  return text.normalize("NFKC").toUpperCase().match(WORD) ?? [];
}

/** The words of a text in capitals, and between them the marks that part clauses. */
export function tokensOf(text: string): string[] {
  return text.normalize("NFKC").toUpperCase().match(TOKEN) ?? [];
}

/** Every name that a field goes by, without case, spaces and punctuation; English, then Korean. */
const NAMES: Readonly<Record<Field, readonly string[]>> = {
  items: [
    "delta items applied",
    "delta items",
    "delta applied",
    "delta",
    "items applied",
    "applied items",
    "applied delta items",
    "changes applied",
    "applied",
    "items",
    "적용한 델타 항목",
    "적용된 델타 항목",
    "델타 항목 적용",
    "델타 적용 항목",
    "델타 적용",
    "델타 항목",
    "적용한 항목",
    "적용된 항목",
    "적용 항목",
    "항목 적용",
    "적용",
    "항목",
  ],
  impact: [
    "impact on my work",
    "impact on work",
    "impact to my work",
    "my impact",
    "impact",
    "내 작업에 미치는 영향",
    "내 작업에 대한 영향",
    "작업에 미치는 영향",
    "작업에 대한 영향",
    "내 작업 영향",
    "작업 영향",
    "영향도",
    "영향",
  ],
  action: [
    "action taken",
    "actions taken",
    "my action",
    "next action",
    "action",
    "취한 조치",
    "취한 행동",
    "조치 사항",
    "조치 내용",
    "조치",
    "행동",
    "동작",
  ],
  unclear: [
    "unclear items",
    "unclear item",
    "unclear sections",
    "items unclear",
    "not understood",
    "unclear",
    "불명확한 항목",
    "불명확 항목",
    "불분명한 항목",
    "모호한 항목",
    "이해하지 못한 항목",
    "이해 못한 항목",
    "불명확",
    "불분명",
  ],
  seen: ["seen", "seen value", "value seen", "본 값", "읽은 값", "확인한 값"],
};

/** Fields by the key of their names. */
export const FIELD_OF: ReadonlyMap<string, Field> = new Map(
  Object.entries(NAMES).flatMap(([field, names]) =>
    names.map(name => [keyOf(name), field as Field] as const),
  ),
);

/** Keys of names of several words: they need no colon behind them. */
export const LONG_KEYS: ReadonlySet<string> = new Set(
  Object.values(NAMES).flatMap(names => names.filter(name => name.includes(" ")).map(keyOf)),
);

/** Words that say that something is received, before and behind the version. */
export const RECEIVED: ReadonlySet<string> = new Set(
  wordsOf(`received receive recieved got acknowledged acknowledge ack read applied confirmed understood ok okay done
    and update updated message msg successfully fully
    수신 수신함 수신됨 수신완료 수신했음 수신했습니다 수신하였습니다 받음 받았음 받았습니다 확인 확인함 확인됨 확인완료 확인했음
    확인했습니다 확인하였습니다 적용 적용함 적용됨 적용완료 적용했음 적용했습니다 적용하였습니다 완료 완료함 및 잘 메시지`),
);

/** Words of a list that says it is empty. */
export const NOTHING: ReadonlySet<string> = new Set(
  wordsOf("none nothing no nil null na 0 empty 없음 없습니다 없다 해당없음"),
);

/** Words before an action that do not change it. */
export const LEADING: ReadonlySet<string> = new Set(wordsOf("I we will ll can am shall to"));

/** Words that deny what follows them. */
export const DENYING: ReadonlySet<string> = new Set(
  wordsOf("no not never without t cannot neither nor unnecessary don doesn didn won needn"),
);

/** Words after which a yes is not plain any more. */
export const HEDGES: ReadonlySet<string> = new Set(
  wordsOf(`not t never cannot unable until unless once before after when if but however except only or yet wait waits waiting
    await awaiting block blocked blocks hold holding halt stop stopped stopping abort aborted maybe perhaps unsure unclear
    confused question questions partial partially partly missing skipped failed pending rejected ignored`),
);

/** Korean: parts of words after which a yes is not plain. */
export const KOREAN_HEDGES: readonly string[] = [
  "불가",
  "않",
  "못",
  "안 ",
  "없이",
  "수 없",
  "수없",
  "어렵",
  "힘들",
  "금지",
  "거부",
  "보류",
  "대기",
  "전까지",
  "이후",
  "하지만",
  "다만",
  "불명확",
  "불분명",
  "모호",
  "일부",
  "부분",
  "누락",
  "제외",
  "실패",
  "미적용",
  "어려",
];
