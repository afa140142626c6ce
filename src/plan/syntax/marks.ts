import { isMarkup, isSpace } from "./chars.ts";

/** What a box, a mark or a status word says about a task. */
export type State = "done" | "open" | "skip" | "put off";

const WORDS = new Map<string, State>();
const DONE =
  "x,v,o,y,yes,ok,예,네,はい,是,✓,✔,✔️,✅,☑,☑️,√,■,●,done,complete,completed,finished,closed,merged,shipped,resolved,완료,완료됨,완료함,완,구현완료,済,完了,已完成,完成";
const OPEN =
  " ,-,~,/,>,.,!,?,…,↻,⏳,⌛,🔄,🚧,⬜,🔲,☐,☐️,❌,✗,✘,×,⏸,⏸️,🟡,🔵,⚪,todo,to do,doing,wip,pending,open,ready,backlog,planned,queued,not started,in progress,inprogress,in-progress,in_progress,started,active,review,in review,failed,blocked,partial,대기,대기중,예정,진행,진행중,진행 중,미완료,미완,미착수,미시작,보류,실패,검토중,검토 중,未着手,未完了,進行中,作業中,待機,未开始,进行中,待办";
const SKIP =
  "cancelled,canceled,skipped,skip,dropped,removed,obsolete,wontfix,won't do,취소,취소됨,제외,삭제,스킵,中止,取消";
const PUT_OFF = "deferred,postponed,연기,연기됨,미룸,延期,推迟";
for (const word of DONE.split(",")) WORDS.set(word, "done");
for (const word of OPEN.split(",")) WORDS.set(word, "open");
for (const word of SKIP.split(",")) WORDS.set(word, "skip");
for (const word of PUT_OFF.split(",")) WORDS.set(word, "put off");

/** The emoji that mark a state where they stand first or last in a title. */
const EMOJI = "✅ ☑️ ☑ ✔️ ✔ ⏳ ⌛ 🔄 🚧 ⬜ 🔲 ☐ ❌ ⏸️ ⏸".split(" ");

/** Lights in front of a status; in titles they tell of tests (`🔴→🟢`). */
const LIGHTS: readonly (readonly [string, State])[] = [
  ["🟢", "done"],
  ["🟡", "open"],
  ["🟠", "open"],
  ["🔴", "open"],
  ["🔵", "open"],
  ["⚪", "open"],
];

/** The state a whole word or short phrase names, whatever its case. */
export function stateOf(word: string): State | undefined {
  return WORDS.get(word.trim().toLowerCase());
}

/** The phrase before any remark: `Done (2026-01-02)` is `done`. */
function phraseOf(text: string): string {
  let end = 0;
  while (end < text.length && !"(（,，;:：/|[—–".includes(text[end]!)) end++;
  return text.slice(0, end).trim().toLowerCase();
}

/** Words with which a remark goes on behind a state, `Done in #12`; any other makes it a sentence of something else. */
const REMARKS = new Set(
  "already and as at because by commit due for from in into now on per pr see since successfully to today until via with yesterday 및 처리 처리됨 확인됨 검증 검증됨 배포 배포됨 병합 병합됨 커밋 상태 보고".split(
    " ",
  ),
);

/** Whether what stands right behind a state leaves it said: not so `완료 예정`, `done 50%`, `skip tests for now`. */
function isRemark(rest: string): boolean {
  const percent = /^(\d{1,3}) ?%/.exec(rest)?.[1];
  if (percent !== undefined) return percent === "100";
  if (/^\d{1,4} of /.test(rest)) return false;
  const word = rest.split(" ", 1)[0]!;
  return !/^\p{L}/u.test(word) || /\d/.test(word) || REMARKS.has(word);
}

/** Whether a state is only the first of several that are named: `완료/미완료`, `cancelled, refunded`; words of one state are none. */
function isChoice(text: string, least: number): boolean {
  const pieces = text.split(/[,，、/|·]/).map(piece => piece.trim());
  const states = new Set(pieces.map(stateOf));
  if (pieces.length < 2 || states.size < 2) return false;
  states.delete(undefined);
  return states.size > 1 || (pieces.length >= least && pieces.every(piece => /^\p{L}+$/u.test(piece)));
}

/** Whether the remark in brackets is another state: `완료 (예정)`. */
function isTakenBack(state: State, text: string): boolean {
  const said = /[(（[]([^()（）[\]]*)[)）\]]$/.exec(text)?.[1];
  const other = said === undefined ? undefined : stateOf(said);
  return other !== undefined && other !== state;
}

/** The state that a phrase is or begins with, and what stands right behind it. */
function beginningOf(phrase: string): { readonly state: State | undefined; readonly rest: string } {
  // A lone letter is a cross in one language and a tick in another.
  const whole = phrase.length === 1 && phrase <= "z" ? undefined : WORDS.get(phrase);
  const space = phrase.indexOf(" ");
  if (whole !== undefined || space < 0) return { state: whole, rest: "" };
  const second = phrase.indexOf(" ", space + 1);
  const two = second < 0 ? undefined : WORDS.get(phrase.slice(0, second));
  const state = two ?? WORDS.get(phrase.slice(0, space));
  return { state, rest: phrase.slice((two === undefined ? space : second) + 1).trim() };
}

/**
 * The state a value begins with: `✅ 완료`, `Done (2026-01-02)`, `진행 중 - 50%`. Open where what follows says that it is not
 * so yet, or that more than one is meant.
 */
export function leadingState(value: string): State | undefined {
  const text = value.trim().slice(0, 60);
  for (const emoji of EMOJI) if (text.startsWith(emoji)) return stateOf(emoji);
  const light = LIGHTS.find(([emoji]) => text.startsWith(emoji));
  const words = light === undefined ? text : text.slice(light[0].length).trim();
  if (light !== undefined && words === "") return light[1];
  const percent = /^(\d{1,3}) ?%/.exec(words)?.[1];
  if (percent !== undefined) return percent === "100" ? "done" : "open";
  const { state, rest } = beginningOf(phraseOf(words));
  if (state === undefined || state === "open") return state;
  const isSaid = (rest === "" || isRemark(rest)) && !isChoice(words, 3) && !isTakenBack(state, words);
  return isSaid ? state : "open";
}

/** A state emoji at `at`, with its length. */
export function emojiAt(text: string, at: number): { state: State; length: number } | undefined {
  if (text.charCodeAt(at) < 0x2000) return undefined;
  for (const emoji of EMOJI) {
    const state = text.startsWith(emoji, at) ? stateOf(emoji) : undefined;
    if (state !== undefined) return { state, length: emoji.length };
  }
  return undefined;
}

/** Characters before the end of a title in which a state is looked for. */
const TAIL = 40;

/** Whether the end of a title holds anything a state could be read from: a bracket, a dash, an emoji. */
function mayEndInState(title: string, end: number): boolean {
  const last = title.charCodeAt(end - 1);
  if (last === 41 || last === 93) return true;
  for (let i = Math.max(0, end - TAIL); i < end; i++) {
    const code = title.charCodeAt(i);
    if (
      (code >= 0x2010 && code < 0x3000) ||
      code >= 0xd800 ||
      (code === 45 && title.charCodeAt(i + 1) === 32)
    ) {
      if (code < 0xac00 || code > 0xd7a3) return true;
    }
  }
  return false;
}

/** The state a title ends in: `title — DONE`, `title (완료)`, `title ✅ 완료`. */
export function trailingState(title: string): State | undefined {
  let end = title.length;
  while (end > 0 && (isSpace(title.charCodeAt(end - 1)) || isMarkup(title.charCodeAt(end - 1)))) end--;
  if (end === 0 || !mayEndInState(title, end)) return undefined;
  const tail = title.slice(Math.max(0, end - TAIL), end);
  for (const emoji of EMOJI) if (tail.endsWith(emoji)) return stateOf(emoji);
  const closing = tail[tail.length - 1];
  if (closing === ")" || closing === "]" || closing === "）" || closing === "】") {
    const open = tail.lastIndexOf(
      closing === ")" ? "(" : closing === "]" ? "[" : closing === "）" ? "（" : "【",
    );
    return open < 0 ? undefined : wordState(tail.slice(open + 1, -1));
  }
  for (const emoji of EMOJI) {
    const at = tail.lastIndexOf(emoji);
    const state = at < 0 ? undefined : wordState(tail.slice(at + emoji.length));
    if (state !== undefined) return state;
  }
  const dash = Math.max(tail.lastIndexOf(" - "), tail.lastIndexOf(" — "), tail.lastIndexOf(" – "));
  return dash < 0 ? undefined : wordState(tail.slice(dash + 3));
}

/** A whole phrase that names a state; a single letter behind a dash or in brackets names none. */
function wordState(text: string): State | undefined {
  const word = text.trim();
  const emoji = emojiAt(word, 0);
  if (emoji !== undefined) return emoji.state;
  const phrase = phraseOf(word);
  return phrase.length >= 2 && !isChoice(word, 2) ? WORDS.get(phrase) : undefined;
}
