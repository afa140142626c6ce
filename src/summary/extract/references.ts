import { BINDS, cuesOf, DENIES, KEEPS, REJECTS } from "./cues.ts";
import { sentencesOf } from "./sentences.ts";

/** Words at the beginning of a sentence that make it depend on what stands before it. */
const POINTS_BACK =
  /^["'“(]?(?:this|that|these|those|it|its|they|their|them|he|she|such|so|then|but|however|therefore|thus|hence|because|instead|otherwise|else|except|unless|also|both|neither|either|nor|which|and|or|yet|again|no(?! )|yes(?! )|likewise|similarly|consequently|as a result|the (?:latter|former|same|other|rest|(?:first|second|third|last) (?:half|part|one|two|three|of (?:these|them)))|(?:all|none|some|most|any|each|one|both) of (?:this|that|these|those|them|it)|each (?:has|is|one|of)|doing (?:so|this|that|it)|(?:only |even )?(?:if|for|in|with|without|by|after|before|like|under|until) (?:so|not|this|that|these|those|such|it|both cases|either case)|a:|answer:|답:|답변:|이|그|이는|이것[은이을도]?|이를|이로|그것[은이을도]?|그러나|하지만|따라서|그래서|그러므로|또한|즉|단|다만|대신|이때|이런|그런|이러한|그러한|이렇게|그렇게|이와|그렇지|아니면|둘 다|모두|해당|동일한|상기|앞의|앞서|아니요|아니오|예외|예외로)(?:[\s,.:;'’]|$)|^[—–:(]|^--/iu;
/** `The command above must not …`, `위 명령은 …`, `do not run there`; no place or number that something is above of. */
const ABOVE =
  /\bthere[,.;:)]|\babove(?:[,.;:)]|$| (?!\d|the\b|an?\b|all\b|its\b|our\b|zero\b|average\b|that\b))|(?:^|\s)위(?:의|와|에|에서)?\s/iu;
/** A thing named before, as what a sentence speaks of. */
const POINTED_AT =
  /\b(?:this|that|these|those|it|them|so)(?:[.,;:!?)"'”’]|$)|\b(?:do|does|doing|did|with|to|of|for|use|run|allow) (?:this|that|these|those|it|them|so)\b|이것|이를|그것|그렇게|이렇게|이에|그에|이런|이러한/iu;
/** Takes back what was said. */
const RETRACTS =
  /\b(?:reject(?:s|ed)?|withdr[ae]wn?|revoked|superseded|obsolete|outdated|wrong|false|untrue|incorrect|disagreed?|no longer|refused|declined|denied|dropped|abandoned|mustn't|dismissed|prohibited|lie|myth|not (?:agree|accept|approve|allow|true|correct|right|acceptable|permitted|the case)(?:ed|d)?)\b|기각|철회|취소|폐기|거절|거부|틀렸|틀리|거짓|무효|동의하지|금지|안 된|안 됩|말 것|마세요/iu;
/** Begins what limits the statement before it; what begins a turn does where it denies or binds. */
const LIMITING =
  /^["'“(]?(?:except|unless|otherwise|provided|only (?:if|when|on|in|after|with|for)|단|다만|예외|예외로)(?:[\s,.:;]|$)/iu;
const TURNING = /^["'“(]?(?:but|however|yet|nor|그러나|하지만)(?:[\s,.:;]|$)/iu;
/** Says that something follows. */
const FORWARD =
  /\b(?:the following|as follows|follows\.|(?:the|this) next (?:paragraph|section|block|line|list|quote|example|sentence))\b|\bbelow[.:]?$|다음(?:은|과|의|에|\s\S{1,8}(?:은|는))|아래(?:는|와|의|에)/iu;

/** Ends with a colon, a question or a pause, marks of emphasis and brackets aside. */
const OPENS = /(?:[:：?？,，—–…-]|\.\.\.)(?:<\/[a-z]{1,9}>|[_~"'”’)\]]{1,4})?$|<\/summary>$/u;

/** Characters of a sentence that say whether it refers to another. */
const READ = 240;

/** Characters of a sentence that does not begin with what it is about: `We must not do that.` */
const LONGEST_RETORT = 80;

/** Whether a sentence says nothing, or something else, without what stands before it. */
export function pointsBack(sentence: string): boolean {
  const read = sentence.slice(0, READ);
  return POINTS_BACK.test(read) || ABOVE.test(read);
}

/** Whether a sentence denies, forbids or takes back what stands before it: neither may be told alone. */
export function retracts(sentence: string): boolean {
  const read = sentence.slice(0, READ);
  if (!pointsBack(read) && !(sentence.length <= LONGEST_RETORT && POINTED_AT.test(read))) return false;
  const cues = cuesOf(read);
  return RETRACTS.test(read) || (cues & REJECTS) !== 0 || ((cues & BINDS) !== 0 && (cues & DENIES) !== 0);
}

/** Whether a sentence goes on with what limits the one before it. */
export function limits(sentence: string): boolean {
  const read = sentence.slice(0, READ);
  return LIMITING.test(read) || (TURNING.test(read) && (cuesOf(read) & (BINDS | DENIES)) !== 0);
}

/** Says what something is not, and what it is instead: `The hard work is not … . It is …`. */
const IS_NOT = /\b(?:(?:is|are|was|were) not|isn't|aren't|wasn't|weren't)\b/i;
const IS_INSTEAD = /^(?:it|they|this|that|these|those)(?: (?:is|are|was|were)|'s|'re)\s/i;

/** Whether a sentence says what the one before it, which only denies something, leaves open. */
function corrects(before: string, sentence: string): boolean {
  const read = before.slice(0, READ);
  return IS_INSTEAD.test(sentence.slice(0, READ)) && IS_NOT.test(read) && (cuesOf(read) & DENIES) !== 0;
}

/** Holds in every case; and names a case in which something else holds: `It always returns 202. Only a bad signature gives 401.` */
const ABSOLUTE =
  /\b(?:always|never|every time|in (?:all|every) cases?)\b|항상|언제나|절대|모든|모두|전부|무조건/iu;
const EXCEPTING =
  /\b(?:only|except|unless|excluding)\b|(?:때|경우|한해서?|에서|에게|에|까지|으로)만(?=[\s,.]|은|이)|예외|제외/iu;

/** Whether a sentence names where the one before it, which claims to hold always, does not. */
function excepts(before: string, sentence: string): boolean {
  return ABSOLUTE.test(before.slice(0, READ)) && EXCEPTING.test(sentence.slice(0, READ));
}

/** Whether the sentence before may not be told without this one: it limits, corrects or excepts from what that one says. */
export function qualifies(before: string, sentence: string): boolean {
  return limits(sentence) || corrects(before, sentence) || excepts(before, sentence);
}

/** Whether the next block is what a text is about: it ends with a colon or a question, in the middle, or says so. */
export function opensNext(text: string): boolean {
  const end = text.slice(-READ);
  return OPENS.test(end) || FORWARD.test(sentencesOf(end).at(-1) ?? "");
}

/** Whether a text breaks off before a sentence has ended. */
export function isUnended(text: string): boolean {
  return /[\p{L}\p{N}_]$/u.test(text.trimEnd());
}

/** Characters of a line that stands above others like a heading, and of the words that begin a block like one. */
const LONGEST_TITLE = 60;
const LONGEST_LABEL = 40;

/** A short line that ends no sentence: a title without the marks of one. */
export function isTitleLine(text: string): boolean {
  return text.length <= LONGEST_TITLE && isUnended(text);
}

/** Whether the rest of its block is about a sentence: `Rejected by the board.` at its beginning, `Never do this: …` */
export function governs(sentence: string, isFirst: boolean): boolean {
  if (/[:：](?:\s|$)|[?？]$/u.test(sentence)) return true;
  return (
    isFirst && sentence.length <= LONGEST_LABEL && (isBareLabel(sentence) || (cuesOf(sentence) & KEEPS) !== 0)
  );
}

/** One or two words, or a word and its number, that state nothing by themselves: `Paragraph 10.` */
export function isBareLabel(sentence: string): boolean {
  return sentence.length <= LONGEST_LABEL && /^[^\s:]{1,24}(?: [^\s:]{1,12})?[.:。]$/u.test(sentence);
}

/** Whether a text opens a quotation, a bracket or a strike that it does not close. */
export function leavesOpen(text: string): boolean {
  let straight = 0;
  let depth = 0;
  let strikes = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') straight++;
    else if ("“「『«(".includes(char)) depth++;
    else if ("”」』»)".includes(char)) depth--;
    else if (char === "~" && text[at + 1] === "~") {
      strikes++;
      at++;
    }
  }
  return straight % 2 === 1 || strikes % 2 === 1 || depth > 0;
}
