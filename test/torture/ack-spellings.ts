import {
  createCodec,
  createLead,
  heard,
  type Lead,
  type LeadInput,
  leadRows,
  leadStep,
  restoreLead,
  type SyncEvent,
} from "../../src/sync/index.ts";
import { dress, type Entry, json, listed, oneLine, table, wideTable } from "./ack-layouts.ts";
import { Random } from "./random.ts";

/** What an acknowledgement means, whatever its spelling. */
interface Meant {
  readonly kind: "continue" | "pause" | "clarify" | "partial" | "unclear" | "unknown" | "contrary" | "full";
  readonly total: number;
  readonly applied: number;
}

/** What came of many spellings. */
export interface Spelled {
  readonly spellings: number;
  readonly valid: number;
  /** Valid ones that go on and were read as such. */
  readonly read: number;
  readonly broken: readonly string[];
  /** The first valid ones that were not read as such. */
  readonly missed: readonly string[];
}

const CODEC = createCodec(text => Math.ceil(text.length / 4));
const TEXTS = [1, 2, 3, 4].map(
  version => `# Context\n\n## Status\n\n- Phase: ${version}\n\n## Decisions\n\n- D-5: ${version} workers\n`,
);

const ACTIONS = {
  continue: [
    "CONTINUE",
    "Continue",
    "continue",
    "CONTINUE.",
    "계속",
    "계속 진행",
    "continue with T2",
    "CONTINUE (no change needed)",
    "Yes, CONTINUE",
    "OK - CONTINUE",
    "No change, CONTINUE",
    "I will now continue",
    "Continuing with T1.2 as planned",
    "CONTINUE with my current work",
    "CONTINUE with GC-v4",
    "CONTINUE on v4",
    "CONTINUE with the updated context",
    "proceeding with the implementation",
    "작업 계속",
    "작업을 계속합니다",
    "구현을 계속함",
    "그대로 계속",
    "계속 진행하겠습니다",
    "v4 기준으로 계속",
  ],
  pause: [
    "PAUSE",
    "Pause",
    "pause",
    "PAUSE!",
    "일시 중지",
    "일시중단",
    "PAUSE (a person must decide)",
    "pause until D-5 is settled",
  ],
  clarify: [
    "NEED_CLARIFICATION",
    "NEED CLARIFICATION",
    "need-clarification",
    "REQUEST_CLARIFICATION",
    "request clarification",
    "Requesting clarification of D-5",
    "설명 요청",
    "명확화 필요",
  ],
  unknown: [
    "DANCE",
    "WAIT",
    "CONTINUE once D-5 is decided",
    "cannot continue",
    "TBD",
    "CONTINUE or stop?",
    "계속 불가",
    "CONTINUE on v3",
    "CONTINUE from GC-v1",
    "CONTINUE with API-v4",
    "continue with the OLD version",
    "continue with the current version",
    "CONTINUE without the update",
    "CONTINUE although I disagree",
    "CONTINUE. Please resend everything.",
    "CONTINUE, I need the whole document",
    "CONTINUE — I have lost my context",
    "will CONTINUE as soon as tests pass",
    "CONTINUE (needs review from lead first)",
    "CONTINUE, no change applied",
    "CONTINUE ❌",
    "계속, 전체 문서를 보내 주세요",
    "계속합니다. 문맥을 잃었습니다",
    "v3 기준으로 계속",
    "이전 버전으로 계속",
  ],
} as const;

const IMPACTS = [
  "NONE",
  "none",
  "없음",
  "the handler of exports changes its signature",
  "one more column in src/db/export.ts, and its test",
  "T3의 테스트 두 개를 고쳐야 함",
  "it does not apply to my task",
  "the worker must stop after three tries",
];
/** What no yes stands beside. */
const CONTRARY = [
  "I have not applied it",
  "not applied",
  "I could not accept D-5",
  "my work has to stop",
  "제 작업은 중단해야 합니다",
  "이 변경을 적용하지 않았습니다",
];
const BEFORE = [
  "I have read the update and compared it with my branch.",
  "업데이트를 확인했습니다.",
  "Thanks. Here is my answer:",
  "- read the delta\n- looked at src/export.ts",
  "## Update",
];
const BEHIND = [
  "I go on with the export worker now.",
  "- src/export.ts: changed\n- tests: 12 passed",
  "DONE: T1 a1b2c3",
  "작업을 계속하겠습니다.",
  "## Summary\n\nThe worker polls every two seconds.",
];

/** One spelling of what is meant. */
function spell(random: Random, meant: Meant): string {
  const fields = fieldsOf(random, meant);
  const received = random.pick([
    "received.",
    "received",
    "Received.",
    "received and applied.",
    "수신 완료",
    "수신함.",
    "",
    "✅ received.",
  ]);
  const version = random.pick([
    "GC-v4",
    "GC-v4",
    "GC-v3 → GC-v4",
    "GC-v3 -> GC-v4",
    "GC-v3→v4",
    "**GC-v4**",
    "`GC-v4`",
    "GC-V4",
    "(GC-v4)",
  ]);
  const tag = random.pick([
    "[ACK-UPDATE]",
    "[ACK-UPDATE]",
    "[ACK_UPDATE]",
    "[Ack-Update]",
    "**[ACK-UPDATE]**",
    "`[ACK-UPDATE]`",
    "\\[ACK-UPDATE\\]",
    "[ACK-UPDATE]:",
  ]);
  const head = `${tag} ${version} ${received}`.trimEnd();
  const body = random.pick([listed, listed, listed, oneLine, oneLine, table, wideTable, json])(
    random,
    head,
    fields,
  );
  const dressed = dress(random, body);
  const before = random.chance(0.3) ? `${random.pick(BEFORE)}\n${random.chance(0.7) ? "\n" : ""}` : "";
  const behind = random.chance(0.3)
    ? `\n\n${random.pick(BEHIND)}`
    : random.chance(0.2)
      ? "\nDONE: T1 a1b2c3"
      : "";
  const text = respelled(random, before + dressed + behind);
  const end = random.below(12);
  if (end === 0) return text.replaceAll("\n", "\r\n");
  if (end === 1) return text.replaceAll(" ", "\u00a0");
  if (end === 2) return text.replaceAll("-", "\u2011");
  return text;
}

/** Other spellings of the whole: wrapped, in one case, with wide colons. */
function respelled(random: Random, text: string): string {
  switch (random.below(14)) {
    case 0:
      return /[|{<]|^(?:```|~~~)/m.test(text) ? text : wrap(text, random.between(30, 80));
    case 1:
      return text.toUpperCase().replaceAll("GC-V3", "GC-v3").replaceAll("DONE: T1 A1B2C3", "DONE: T1 a1b2c3");
    case 2:
      return text.toLowerCase().replaceAll("gc-v", "GC-v");
    case 3:
      return text.replaceAll(": ", "：");
    default:
      return text;
  }
}

function wrap(text: string, width: number): string {
  const wrapped = (line: string): string => {
    const end = line.length <= width ? -1 : line.lastIndexOf(" ", width);
    // A number and a stop at its beginning would make the line an item of a list.
    const at = /^ \d+\. /.test(line.slice(end)) ? line.lastIndexOf(" ", end - 1) : end;
    const indent = line.length - line.trimStart().length + (/^\s*(?:[-*+•]|1\.) /.test(line) ? 2 : 0);
    return at <= indent + 2
      ? line
      : `${line.slice(0, at)}\n${wrapped(" ".repeat(indent) + line.slice(at + 1))}`;
  };
  return text.split("\n").map(wrapped).join("\n");
}

/** No spelling any more: letters swapped, a line twice, a sentence between. Whatever it is read as, it is no yes. */
function damaged(random: Random, text: string): string {
  const lines = text.split("\n");
  const at = random.below(lines.length);
  switch (random.below(4)) {
    case 0: {
      const names = [...text.matchAll(/applied|items|impact|taken|action|unclear/gi)];
      if (names.length === 0) return text;
      const { 0: name, index } = random.pick(names);
      const letter = index + random.below(name.length - 1);
      return text.slice(0, letter) + text[letter + 1]! + text[letter]! + text.slice(letter + 2);
    }
    case 1:
      return [...lines.slice(0, at + 1), lines[at]!, ...lines.slice(at + 1)].join("\n");
    case 2:
      if (text.includes("|---")) return text;
      return [
        ...lines.slice(0, at + 1),
        random.pick(["Let me explain.", "잠시만요.", "", "---"]),
        ...lines.slice(at + 1),
      ].join("\n");
    default:
      return lines.map(line => line.trimStart()).join("\n");
  }
}

function fieldsOf(random: Random, meant: Meant): Entry[] {
  const { applied, total, kind } = meant;
  const counts = [
    `${applied}/${total}`,
    `${applied} / ${total}`,
    `${applied} of ${total}`,
    `${applied} out of ${total}`,
  ];
  const more = [
    `${total}개 중 ${applied}개`,
    `{${applied}/${total}}`,
    `(${applied}/${total})`,
    `**${applied}/${total}**`,
  ];
  if (applied === total) more.push(`all ${total}`, `${applied}/${total} (100%)`);
  const goesOn = kind === "partial" || kind === "unclear" || kind === "contrary";
  const action = goesOn ? "continue" : kind === "full" ? "clarify" : kind;
  const word = kind === "full" ? "need full context" : random.pick(ACTIONS[action]);
  const fields: Entry[] = [
    ["items", random.pick([...counts, ...more])],
    ["impact", random.pick(kind === "contrary" ? CONTRARY : IMPACTS)],
    ["action", random.chance(0.3) ? wrapped(random, word) : word],
  ];
  if (kind === "unclear")
    fields.push(["unclear", random.pick(["§Decisions D-5", "Decisions.D-5, Status", "[§Decisions D-5]"])]);
  else if (random.chance(0.2)) fields.push(["unclear", random.pick(["none", "NONE", "-", "없음", "[]"])]);
  return random.chance(0.2)
    ? fields
        .map(field => [random.below(1000), field] as const)
        .sort((a, b) => a[0] - b[0])
        .map(([, field]) => field)
    : fields;
}

function wrapped(random: Random, word: string): string {
  const [open, close] = random.pick([
    ["{", "}"],
    ['"', '"'],
    ["`", "`"],
    ["**", "**"],
    ["[", "]"],
    ["<", ">"],
    ["“", "”"],
    ["_", "_"],
    ["→ ", ""],
    ["", " ✅"],
  ]);
  return `${open}${word}${close}`;
}

/** A lead with one teammate that proves by its word and is asked about v4, three items. */
function asked(): Lead {
  const lead = createLead("GC", { maxGap: "any" })!;
  const tell = (input: LeadInput) => leadStep(lead, input, CODEC);
  tell({ type: "publish", text: TEXTS[0]!, now: 0 });
  tell({ type: "join", teammate: "ann", session: "s", proof: "word", now: 0 });
  tell({
    type: "ack",
    teammate: "ann",
    session: "s",
    now: 0,
    ack: { label: "GC", version: 1, impact: "", unclear: [] },
  });
  tell({ type: "publish", text: TEXTS[1]!, now: 0 });
  tell({ type: "publish", text: TEXTS[2]!, now: 0 });
  tell({ type: "publish", text: TEXTS[3]!, now: 0 });
  tell({ type: "pull", teammate: "ann", now: 0 });
  return lead;
}

const KINDS: readonly Meant["kind"][] = [
  "continue",
  "continue",
  "pause",
  "clarify",
  "partial",
  "unclear",
  "unknown",
  "contrary",
  "full",
];

/** Spells acknowledgements in many ways and lets a lead judge each. */
export function spellAcks(first: number, count: number): Spelled {
  const broken: string[] = [];
  const missed: string[] = [];
  let [valid, read] = [0, 0];
  for (let seed = first; seed < first + count && broken.length < 12; seed++) {
    const random = new Random(seed);
    const kind = random.pick(KINDS);
    const total = random.between(2, 5);
    const meant = { kind, total, applied: kind === "partial" ? total - 1 : total };
    const spelling = spell(random, meant);
    const isDamaged = random.chance(0.2);
    const text = isDamaged ? damaged(random, spelling) : spelling;
    const { confirmed, events } = judged(text);
    const said = (type: SyncEvent["type"]) => events.some(event => event.type === type);
    const fault = (what: string) => broken.push(`seed ${seed}: ${what}: ${JSON.stringify(text)}`);
    if (kind === "continue") {
      if (isDamaged) continue;
      valid++;
      if (confirmed && !said("paused") && !said("clarify")) read++;
      else missed.push(`seed ${seed}: ${JSON.stringify(text)}`);
      if (said("paused")) fault("a CONTINUE pauses");
    } else if (kind === "pause") {
      if (!said("paused")) fault("a PAUSE is lost");
    } else {
      // Of free text with letters swapped nobody knows what it says.
      if (confirmed && !(kind === "contrary" && isDamaged)) fault(`${kind} confirms`);
      if (kind !== "unknown" && kind !== "contrary" && kind !== "full" && !isDamaged && !said("clarify"))
        fault(`${kind} asks nobody`);
      if (kind === "full" && !isDamaged && !said("requested")) fault("a request is lost");
    }
  }
  return { spellings: count, valid, read, broken, missed };
}

const ASKED = asked();

/** What a lead makes of a text. */
export function judged(text: string): { readonly confirmed: boolean; readonly events: readonly SyncEvent[] } {
  const lead = restoreLead(leadRows(ASKED), ASKED.contents, ASKED.policy);
  const inputs = heard(text, { teammate: "ann", session: "s", now: 1 });
  const events = inputs.flatMap(input => leadStep(lead, input, CODEC).events);
  return { confirmed: (lead.teammates.get("ann")!.confirmed?.version ?? 0) === 4, events };
}

/** `npx node test/torture/ack-spellings.ts [count] [first seed]`. */
if (import.meta.main) {
  const { missed, ...spelled } = spellAcks(Number(process.argv[3] ?? 1), Number(process.argv[2] ?? 10_000));
  console.log(JSON.stringify(spelled, undefined, 1));
  console.log(missed.slice(0, 25).join("\n"));
}
