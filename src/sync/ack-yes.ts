import { DENYING, LEADING, tokensOf, wordsOf } from "./ack-words.ts";

/** What an answer is about: whoever goes on with another version has not taken this one. */
export interface Acknowledged {
  readonly label: string;
  readonly version: number;
}

/** Characters of a yes; whoever writes more says more. */
const LONGEST_YES = 200;
const GOING_ON: ReadonlySet<string> = new Set(
  wordsOf("continue continues continued continuing proceed proceeds proceeded proceeding"),
);
const KOREAN_STEMS = ["계속", "진행", "속행"];
const KOREAN_ENDINGS: ReadonlySet<string> = new Set(
  " 함 합니다 하겠습니다 하겠음 할게요 할게 하고 해서 하여 해요 한다 하기 하는 중 중임 중입니다 됩니다 됨".split(
    " ",
  ),
);

/** What may stand around a yes without taking anything back. */
const FILLER: ReadonlySet<string> = new Set([
  ...LEADING,
  ...wordsOf(`yes yeah yep ok okay sure now m going the my our this current ongoing assigned remaining task tasks work
    working job implementation implementing coding with on in as planned intended usual normally immediately directly
    straight away ahead forward further accordingly from here then safely so under using against per of update updated
    updates change changes delta new latest
    작업 작업을 작업은 구현 구현을 개발 개발을 과제 과제를 태스크 태스크를 업무 업무를 현재 내 제 나의 저의 이 그대로 예정대로
    계획대로 이제 지금 바로 네 예 새 새로운 최신 업데이트된 변경된 갱신된 기준 기준으로 반영하여 반영해 반영하고 반영해서
    적용하여 적용하고 적용해 따라 맞춰 맞추어`),
]);
/** These are the new ones only where a word says so. */
const DOCUMENTS: ReadonlySet<string> = new Set(
  wordsOf(
    "context version document plan spec rules instructions 버전 문서 컨텍스트 계획 내용 버전으로 내용으로",
  ),
);
const NEWER: ReadonlySet<string> = new Set(
  wordsOf("new latest updated update 새 새로운 최신 업데이트된 변경된 갱신된"),
);
/** Clauses beside a yes that agree with it, their words joined. */
const AGREEING: ReadonlySet<string> = new Set(
  `YES|YEAH|YEP|OK|OKAY|SURE|GOT IT|UNDERSTOOD|ACKNOWLEDGED|NOTED|CONFIRMED|ALL GOOD|ALL CLEAR|ALL FINE|DONE|APPLIED
|ALL APPLIED|ALL ITEMS APPLIED|UPDATE APPLIED|UPDATES APPLIED|CHANGE APPLIED|CHANGES APPLIED|DELTA APPLIED|AS PLANNED
|UPDATE RECEIVED|UPDATE UNDERSTOOD|UNAFFECTED|MY WORK IS UNAFFECTED|NOTHING TO CHANGE|NOTHING CHANGES|NOTHING CHANGES FOR ME
|네|예|확인|확인함|확인했습니다|적용함|적용했습니다|적용 완료|반영 완료|반영함|이상 없음|문제 없음|변경 없음|변경 사항 없음|변경사항 없음
|변경 필요 없음|수정 없음|수정 필요 없음|영향 없음`
    .replaceAll("\n", "")
    .split("|"),
);
/** `no change needed`, `No changes to my work`: what there is none of, and the rest. */
const NONE_OF: ReadonlySet<string> = new Set(
  wordsOf(
    "change changes impact impacts adjustment adjustments rework conflict conflicts issue issues problem problems",
  ),
);
const NONE_REST: ReadonlySet<string> = new Set(
  wordsOf(
    "needed required necessary is are to on in for with my the our me work task code implementation part here found",
  ),
);

const PARTING = /[,;:!()|/—–…\n]|\.(?![\p{L}\p{N}])|\s-+\s/u;
const NOT_NAMED = /[^\p{L}\p{N}._-]+/u;
const EDGES = "._-";
const TASK = /^[A-Z]{1,8}\d+(?:\.\d+)*[A-Z]?$/;
const NUMBER = /^\d{1,9}$/;
const VERSION = /^(?:(.+)[-_.])?V(\d{1,9})$/;
const PARTICLE = /(?<=[A-Z\d])(?:을|를|은|는|이|가|의|로|으로|부터)$/u;
/** Marks that take back what they stand beside; of pictures all but those that agree. */
const TAKING_BACK = /[?✗✘]|~~|(?![✅✔☑👍👌🆗🚀▶➡⏩🙂😀🎉💯©®™])\p{Extended_Pictographic}/u;

/** A word that says that work goes on. */
export function isGoingOn(word: string): boolean {
  const stem = KOREAN_STEMS.find(each => word.startsWith(each));
  return GOING_ON.has(word) || (stem !== undefined && KOREAN_ENDINGS.has(word.slice(stem.length)));
}

/**
 * Whether a value says that work goes on, and nothing else that is not known: each of its clauses agrees, or says so in words
 * that take nothing back. Another version than the one that is acknowledged is one more thing.
 */
export function isPlainYes(value: string, { label, version }: Partial<Acknowledged>): boolean {
  const text = value.normalize("NFKC").trim().toUpperCase();
  if (text.length > LONGEST_YES || TAKING_BACK.test(value)) return false;
  let said = false;
  for (const clause of text.split(PARTING)) {
    const words = namesIn(clause);
    if (words.length === 0 || isAgreeing(words)) continue;
    if (!words.some(isGoingOn) || !words.every((word, at) => isKnown(word, words[at - 1]))) return false;
    const isNew = words.some(word => NEWER.has(word) || VERSION.test(word));
    if (!isNew && words.some(word => DOCUMENTS.has(word))) return false;
    said = true;
  }
  return said;

  function isKnown(word: string, before: string | undefined): boolean {
    if (FILLER.has(word) || DOCUMENTS.has(word) || isGoingOn(word) || word === label?.toUpperCase())
      return true;
    const [, of, number] = VERSION.exec(word) ?? [];
    if (number !== undefined) return Number(number) === version && (of ?? label) === label?.toUpperCase();
    if (NUMBER.test(word)) return before === "VERSION" && Number(word) === version;
    return TASK.test(word);
  }
}

/** The words of a clause; those of a name, as in `T1.2` and `GC-v4`, are one. */
function namesIn(clause: string): string[] {
  return clause
    .split(NOT_NAMED)
    .map(word => undressed(word).replace(PARTICLE, ""))
    .filter(word => word !== "");
}

function undressed(word: string): string {
  let [from, to] = [0, word.length];
  while (from < to && EDGES.includes(word[from]!)) from++;
  while (to > from && EDGES.includes(word[to - 1]!)) to--;
  return word.slice(from, to);
}

function isAgreeing(words: readonly string[]): boolean {
  const [first = "", second = "", ...rest] = words;
  return (
    AGREEING.has(words.join(" ")) ||
    (first === "NO" && NONE_OF.has(second) && rest.every(word => NONE_REST.has(word)))
  );
}

const APPLYING: ReadonlySet<string> = new Set(
  wordsOf(
    "apply applied applying adopt adopted accept accepted incorporated understand understood read received",
  ),
);
const OWN: ReadonlySet<string> = new Set(wordsOf("i we work task implementation"));
const SPEAKING: ReadonlySet<string> = new Set(wordsOf("i we my our"));
/** Before a denial that is about the update itself, and not about what is built. */
const ABOUT: ReadonlySet<string> = new Set(
  wordsOf("i we ve have haven did didn could couldn update change changes delta yet it"),
);
const DUTY: ReadonlySet<string> = new Set(wordsOf("must has have need needs should will is am are"));
const STOPPING: ReadonlySet<string> = new Set(
  wordsOf("stop stops stopped stopping halt halted pause paused wait suspended blocked abort aborted"),
);
/** Behind a stop that is one of the work; `stop using it` is what is built. */
const STOPPED: ReadonlySet<string> = new Set(wordsOf("work working here now until for by on because and"));
/** What somebody does with an update that is not taken. */
const IGNORING: ReadonlySet<string> = new Set(
  wordsOf("ignore ignored ignoring reject rejected rejecting refuse refused decline declined skip skipped"),
);
const UPDATE: ReadonlySet<string> = new Set(wordsOf("it this that update change changes delta item items"));
/** Of the update, too: what is not applied elsewhere in a sentence is what is built. */
const KOREAN_UNAPPLIED =
  /(?:^|[.,;(] ?|아직 |(?:변경|업데이트|항목|델타|문서|내용|사항|[A-Z]-?\d+)[을를은는]? )(?:(?:적용|반영|수용|이해|확인)(?:하지 ?[않못]|을? ?못|할 수 없| ?안 ?[함했])|읽지 ?(?:않[았음습]|못[했함])|못 ?읽|무시[하함합했])|미적용|미반영|미확인/u;
const KOREAN_STOPPING =
  /작업[을은이도]? ?(?:(?:더 )?(?:(?:중단|중지|정지|보류|일시 ?중[단지])(?:을 |이 |를 |가 )?(?:해야|필요|합니다|하겠|했|함|됨|됩니다|되어야)|멈(?:춰야|춥니다|추겠|췄|춤|출 수밖에)|막(?:혔|힘|혀)|(?:계속|진행)(?:을 )?할 수 ?없))/u;

/** Whether an impact says that the update was not taken, or that work has to stop: none that a yes stands beside. */
export function isContrary(impact: string): boolean {
  if (KOREAN_UNAPPLIED.test(impact) || KOREAN_STOPPING.test(impact)) return true;
  const tokens = tokensOf(impact.replaceAll("’", "'"));
  let begin = 0;
  for (const [at, token] of tokens.entries()) {
    if (!LETTER.test(token)) begin = at + 1;
    else if (APPLYING.has(token) && isDeniedOf(tokens, begin, at)) return true;
    else if (STOPPING.has(token) && isOwnDuty(tokens, begin, at)) return true;
    else if (IGNORING.has(token) && isOfUpdate(tokens, begin, at)) return true;
    else if (GOING_ON.has(token) && isOwnEnd(tokens, begin, at)) return true;
  }
  return false;
}

const LETTER = /[\p{L}\p{N}]/u;

/** `I have not yet applied`, `not applied`; `it does not apply to my task` is no denial of the update. */
function isDeniedOf(tokens: readonly string[], begin: number, at: number): boolean {
  const before = tokens.slice(Math.max(begin, at - 6), at);
  const near = before.slice(-3);
  if (!near.some(word => DENYING.has(word))) return false;
  if (near.includes("DOES") || near.includes("DOESN")) return false;
  return DENYING.has(tokens[begin]!) || before.some(word => ABOUT.has(word));
}

/** `my work has to stop`, `I am blocked`; `the worker must stop` is what is built. */
function isOwnDuty(tokens: readonly string[], begin: number, at: number): boolean {
  const before = tokens.slice(Math.max(begin, at - 5), at);
  const behind = tokens[at + 1];
  if (behind !== undefined && LETTER.test(behind) && !STOPPED.has(behind)) return false;
  const duty = before.findIndex(word => DUTY.has(word));
  return (
    duty > 0 && before.slice(0, duty).some(word => OWN.has(word)) && !before.some(word => DENYING.has(word))
  );
}

/** `I ignored D-5`, `we rejected the change`; `I rejected the old format` is what is built. */
function isOfUpdate(tokens: readonly string[], begin: number, at: number): boolean {
  const [behind = "", next = ""] = tokens.slice(at + 1, at + 3).filter(word => word !== "THE");
  const before = tokens.slice(Math.max(begin, at - 3), at);
  const isUpdate = UPDATE.has(behind) || (/^[A-Z]$/.test(behind) && NUMBER.test(next));
  return (
    isUpdate &&
    SPEAKING.has(before.find(word => word !== "HAVE" && word !== "VE") ?? "") &&
    !before.some(word => DENYING.has(word))
  );
}

/** `I cannot continue`, `unable to proceed`; a user who cannot continue is what is built. */
function isOwnEnd(tokens: readonly string[], begin: number, at: number): boolean {
  const near = tokens.slice(Math.max(begin, at - 3), at);
  const isDenied = near.includes("UNABLE") || (near.some(canOrIs) && near.some(word => DENYING.has(word)));
  return isDenied && (SPEAKING.has(tokens[begin]!) || canOrIs(tokens[begin]!) || tokens[begin] === "UNABLE");
}

function canOrIs(word: string): boolean {
  return word === "CAN" || word === "CANNOT" || word === "AM";
}
