/** A rule: what must, may not or is never to be done. */
const RULE =
  /\b(?:must|never|do not|don't|may not|should not|shall|has to|have to|only|cannot|not to be|forbid|forbids|forbidden|nobody|no one)\b|말 것|않는다|않습니다|지 않음|안 된다|안 됩니다|안 돼요|안 됨|지 마(?:세요|십시오|라)|지 말|수 없(?:다|습니다|음)|불가|해야|금지|반드시|이어야|여야|없다$|없다\.|없음$|못한다|못합니다|하지 마/iu;
/** Advice, or what was chosen, settled or turned down. */
const ADVICE =
  /\b(?:(?:recommend|advise|propose|suggest)(?:s|d|ed|ing|ation|ations)?|advising|proposing|should|would go|opt for|opted for|go with|goes with|we (?:will|use|take|keep|write|chose|choose|drop)|decided|is chosen|settled|turned down|given up|rejected|dropped|instead of|rather than)\b|권고|권한다|제안|하자[.\s]|기로 (?:했|한|하)|골랐|택했|택한|뺐다|뺐습니다|미뤘|미룬다|보류|로 한다|정했|정한다|채택|결정|바꾼다|유지한다|둔다|선택|받아들이지|제외|버렸|버린다|낫다/iu;
/** What somebody did or saw on the way. */
const TELLING = /\b(?:I|we|they|he|she)\b/iu;
const SEVERE = /\b(?:critical|blocker|blocks|blocking|severe|high)\b|차단|치명|심각|높음/iu;
const MINOR = /\b(?:low|info|minor|trivial|nit)\b|낮음|경미|사소/iu;
/** Who wrote a text, and when: `Author: …`, `Prepared by …`, `| 작성 | …` */
const CREDIT =
  /^[^\p{L}\p{N}]{0,12}(?:prepared|written|reviewed|compiled) by\b|^[^\p{L}\p{N}]{0,12}(?:date|author|written by|prepared by|reviewed? by|reviewer|verifier|auditor|owner|participant|attendees|absent|version|updated|last updated|created|completed|duration|tags?|작성|일시|날짜|참석|불참|버전|검토|담당|수행|기간|대상|최종 수정|문서 버전)[^:：|]{0,12}[:：|]/iu;

/** Where in a file something stands: `line 12`, `L12`, `a.ts:12`. */
const PLACE = /\b[Ll]ines? \d|[a-z]:\d+\b|\bL\d+\b/u;
/** How something is tried, or was seen: `verification:`, `Expected:`, `재현:` */
const TRYING =
  /^[^\p{L}\p{N}]{0,4}(?:verification|reproduction|repro|tests?|tested|checked|command|evidence|started|timestamp|trigger|symptoms?|errors?|expecting|expected|actual|found|재현|증상|명령)(?![\p{L}\p{N}_])[^:：|]{0,30}[:：|]/iu;
/** A stage of the work. */
const STAGE = /\b(?:phase|plan|wave|milestone|sprint) \d|단계 \d/iu;

/** Keys of front matter that tell how a text was made: `signature:`, `provenance_status:`, `session_id:`. */
const MAKING =
  /^[\s-]*["']?(?:signature|provenance|generat(?:ed|or)|sessions?|harness|vendor|context_used|작성 도구|생성 정보)[\w -]{0,24}["']?:/iu;

/** What a text is for, and sections about that. */
const AIM =
  /\b(?:goals?|aims?|purpose|objectives?|target)\b|\bwe want\b|\basked (?:to|which|whether|for)|목적|목표|과제/iu;

/** A heading that counts its like: `## D1: …`, `### R2.`, `## 3. …`, `## 결정 4` */
const COUNTED = /^#+ (?:\[?[A-Z]{1,4}-?\d{1,3}|\d{1,2}[.)]|결정|안건)/iu;
/** Sections about logs, files, commits and the like; those that tell how something came about. */
const PASSING =
  /log\b|logs\b|people|contacts?\b|accounts?\b|credentials|where (?:things|it all) (?:is|are|live)|misc|small things|other things|links\b|glossary|acknowledge|transcript|trace|history|raw|appendix|commit|performance|metric|files?\b|self-check|reference|changelog|anti-pattern|signature|provenance|tags|artifact|로그|부록|기타|계정|연락처|담당자|사람들|링크|용어|기록|커밋|이력|참고|산출물|파일/iu;
const DETAIL =
  /method|how (?:we|the|it|i)|discussion|record|background|timeline|context|notes|what (?:we|the|others)|setup|environment|evidence|inventory|versions|경위|방법|환경|메모|관찰|배경|자료|구성/iu;

type StatementSign = "rule" | "advice" | "telling" | "credit" | "place" | "trying" | "stage" | Either;
type SectionSign = "counted" | "passing" | "detail" | Either;
type Either = "aim" | "severe" | "minor";

/** What a statement is by its words, in English and Korean. */
export function statementSigns(text: string): Readonly<Record<StatementSign, boolean>> {
  const rule = RULE.test(text);
  const advice = ADVICE.test(text);
  return {
    rule,
    advice,
    telling: !rule && !advice && TELLING.test(text),
    credit: CREDIT.test(text),
    place: PLACE.test(text),
    trying: TRYING.test(text),
    stage: STAGE.test(text),
    aim: AIM.test(text),
    severe: SEVERE.test(text),
    minor: MINOR.test(text),
  };
}

/** Whether a key of front matter tells how the text was made. */
export function tellsMaking(line: string): boolean {
  return MAKING.test(line);
}

/** What a section is by its heading; the title of the whole says nothing of that. */
export function sectionSigns(heading: string): Readonly<Record<SectionSign, boolean>> {
  return {
    counted: COUNTED.test(heading),
    passing: PASSING.test(heading),
    detail: DETAIL.test(heading),
    aim: AIM.test(heading),
    severe: SEVERE.test(heading),
    minor: MINOR.test(heading),
  };
}

/**
 * A heading's number among its like, `D1:`, but for how urgent it is, `P1`, unless that stands in brackets before a finding; a label and
 * what it says; a verb; a Korean sentence's end.
 */
const NUMBER = /^(?:(?!P\d\b)\[?[A-Z]{1,4}-?\d{1,3}[\].:)]? |결정\S* )/u;
const LABELLED = /[:：] ?[^\s:：]{1,60} \S{1,60} \S/u;
const VERB =
  /\b(?:no|not|never|must|only|is|are|uses?|keeps?|goes|go|rejected|instead|cannot|can|will|should)\b|않|없|금지|해야|[가-힣]다(?:$|[. ])|으?로$/iu;

/** A question, and what it is about: where it is answered states something, not here. */
const ASKS =
  /^(?:\S{1,6}[.:)]\s)?(?:where|when|what|how|why|which|whether|who|should)\b|[?？]$|여부$|방법$|방식$|무엇|언제|어디|어떻게/iu;

/** Whether a heading is a statement that can be told alone: `## D1: SQLite, by way of op-sqlite` is, `## Background` is none. */
export function headingStates(heading: string): boolean {
  const words = heading.replace(/^#+ /u, "");
  if (heading.startsWith("# ") || words.split(" ").length < 3 || ASKS.test(words)) return false;
  return NUMBER.test(words) || LABELLED.test(words) || VERB.test(words);
}
