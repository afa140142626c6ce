import { countCapped, countTokens } from "../tokens/index.ts";
import { scanEntities } from "./entity/index.ts";
import type { Piece } from "./extract/index.ts";
import { MOST_ARTIFACTS } from "./limits.ts";

export type ArtifactStatus = "created" | "modified" | "deleted";

export interface Artifact {
  readonly path: string;
  readonly status: ArtifactStatus;
}

/** What an output says that it did to files and decided, kept outside of every summary. */
export interface ArtifactIndex {
  readonly files: readonly Artifact[];
  /** Ids that a statement decides or defines: `D-7`, `ADR-002`. */
  readonly decided: readonly string[];
  /** How many more there were than the index holds. */
  readonly left: number;
}

const VERBS: ReadonlyMap<string, ArtifactStatus> = new Map([
  ...verbs("created", "created create creates added adds add wrote generated new 생성 추가 신규 작성"),
  ...verbs("modified", "modified modify modifies updated update updates changed edited 수정 변경 갱신 편집"),
  ...verbs("deleted", "deleted delete deletes removed remove removes 삭제 제거"),
]);
/** Words between a verb and its files, or between files. */
const JOINS: ReadonlySet<string> = new Set([
  "and",
  "&",
  "+",
  "the",
  "file",
  "files",
  "및",
  "와",
  "과",
  "파일",
  "-",
]);
/** Words that part a file from what is said of it behind it. */
const SAYS: ReadonlySet<string> = new Set([
  ":",
  "—",
  "–",
  "-",
  "|",
  "→",
  "was",
  "were",
  "is",
  "are",
  "을",
  "를",
  "은",
  "는",
  "이",
  "가",
]);
/** Words of a title that names a list of files by what was done to them. */
const TITLES: ReadonlySet<string> = new Set(["files", "file", "key", "new", "list", "the", "파일", "목록"]);
const DECIDES = /decision|decided|decide|chosen|chose|adopt|accepted|approved|결정|채택|확정|승인|선택/iu;
/** What opens a statement before its id: `- **Decision D-7**`, `| TD-02 |`, `1. [ADR-2]`. */
const OPENING = /^[\s|>*+-]*(?:\d{1,3}[.)] )?(?:\[[ x]\] )?(?:(?:decision|decided|결정)[: ]{1,2})?[[("“]?/iu;
/** A word that decides, with the ids beside it: `Adopted ADR-2 and D-4`, `ADR-2 was accepted`, `ADR-2를 채택`. */
const BEFORE_IDS = /\b(?:decided(?: on)?|chose|chosen|adopt(?:s|ed)?|accepted|approved):? /giu;
const BEHIND_ID =
  /([\w.-]{2,24})[을를은는이가]?(?: (?:is|was|are|were|has been))? \(?(?:decided|chosen|adopted|accepted|approved|결정|채택|확정|승인|선택)/giu;
/** One of several ids, with what joins it to the next. */
const NAMED = /^[[("“]?([\w-]+(?:\.\d+)*)(?![\p{L}'’])([\])"”]*(?:[,/&]| and\b| 및)?\s*)/u;
/** `D-7: …`, `ADR-2 — …` */
const LABELS = /^[\w.-]{2,24}[\])"”]{0,2}(?: ?[:|]| [—–=-] )/u;
/** What says that it was not. */
const UNDECIDED =
  /\bnot (?:yet |been ){0,2}(?:decided|chosen|adopted|accepted|approved)|\b(?:is|was|were) (?:rejected|superseded)|기각|철회/iu;
/** `D4`, `ADR-002`, `TD-2.1`; no hash, no `E2E`. */
const AN_ID = /^[a-z]{1,8}-?\d{1,5}(?:[.-]\d{1,4})*$/iu;

function verbs(status: ArtifactStatus, words: string): [string, ArtifactStatus][] {
  return words.split(" ").map(word => [word, status]);
}

/**
 * Reads what an output states of files and decisions, in so many words: a verb right before its files or right behind them, or the
 * title of a list of files. A file of which two things are said that do not go together is left out. Linear in its pieces.
 */
export function artifactsOf(pieces: readonly Piece[]): ArtifactIndex {
  const files = new Map<string, ArtifactStatus>();
  const disputed = new Set<string>();
  const decided = new Set<string>();
  let left = 0;
  const say = (path: string, status: ArtifactStatus): void => {
    const before = files.get(path);
    if (before === undefined && files.size >= MOST_ARTIFACTS) left++;
    else if (before === undefined || (before === "modified" && status === "created")) files.set(path, status);
    if (before !== undefined && (before === "deleted") !== (status === "deleted")) disputed.add(path);
  };
  for (const { kind, text, under, heading } of pieces) {
    if (kind === "block" || kind === "heading") continue;
    if (MAY_NAME.test(text)) {
      const titled = titleStatus(pieces[under]?.text ?? "") ?? titleStatus(pieces[heading]?.text ?? "");
      for (const { path, status } of statementsIn(text, titled)) say(path, status);
    }
    const isUnder = DECIDES.test(pieces[heading]?.text ?? "");
    if (!isUnder && !DECIDES.test(text)) continue;
    for (const key of decidedIn(text, isUnder)) {
      if (decided.has(key)) continue;
      if (decided.size < MOST_ARTIFACTS) decided.add(key);
      else left++;
    }
  }
  const agreed = [...files].filter(([path]) => !disputed.has(path));
  return { files: agreed.map(([path, status]) => ({ path, status })), decided: [...decided], left };
}

/** The ids a deciding statement is about: those that label it, or begin it in a list of decisions, and those beside the word that decides. */
function decidedIn(text: string, isUnder: boolean): string[] {
  if (UNDECIDED.test(text)) return [];
  const rest = text.slice(OPENING.exec(text)?.[0].length ?? 0);
  const named = isUnder || LABELS.test(rest) ? idsAt(rest) : [];
  for (const { index, 0: word } of text.matchAll(BEFORE_IDS))
    named.push(...idsAt(text.slice(index + word.length)));
  for (const [, id = ""] of text.matchAll(BEHIND_ID)) if (AN_ID.test(id)) named.push(id);
  return named.filter(isId);
}

/** The ids that a text begins with. */
function idsAt(text: string): string[] {
  const ids: string[] = [];
  for (let rest = text; ; ) {
    const [all, id, join] = NAMED.exec(rest) ?? [];
    if (all === undefined || !AN_ID.test(id!)) return ids;
    ids.push(id!);
    if (join!.trim() === "") return ids;
    rest = rest.slice(all.length);
  }
}

function isId(word: string): boolean {
  let id = false;
  scanEntities(word, ({ kind, key }) => {
    id = kind === "id" && key === word;
  });
  return id;
}

/** What a title says of the files below it, when it says nothing else: `Files created`, `created:`, `## 수정 파일`. */
function titleStatus(title: string): ArtifactStatus | undefined {
  let status: ArtifactStatus | undefined;
  for (const word of title.toLowerCase().split(/[\s:#：]/)) {
    const own = verbOf(word);
    if (own !== undefined && word !== "new") {
      if (status !== undefined && status !== own) return undefined;
      status = own;
    } else if (word !== "" && !TITLES.has(word)) return undefined;
  }
  return status;
}

/** `created a.ts and b.ts`, `a.ts: updated`, `a.ts 삭제`; a list's own file where its title says what was done. */
function* statementsIn(text: string, titled: ArtifactStatus | undefined): Generator<Artifact> {
  /** A verb whose files follow; files, and whether something parts them from a verb, since the last word that is none of ours. */
  let verb: ArtifactStatus | undefined;
  let open: string[] = [];
  let says = false;
  let begins = true;
  const words = text.split(/\s|(?=[:|](?:\s|$))/).filter(Boolean);
  for (const [at, word] of words.entries()) {
    const bare = bareOf(word);
    const path = pathIn(word);
    const status = verbOf(bare);
    const isKorean = HANGUL.test(bare);
    if (path !== undefined) {
      if (verb !== undefined) yield { path, status: verb };
      else if (begins && titled !== undefined) yield { path, status: titled };
      if (says) open = [];
      open.push(path);
      [says, begins] = [false, false];
    } else if (status !== undefined) {
      const next = words[at + 1];
      const isBehind =
        open.length > 0 && (isKorean ? !DENIES.test(next ?? "") : says && endsPhrase(word, next));
      if (isBehind) for (const one of open) yield { path: one, status };
      verb = isBehind || isKorean ? undefined : status;
      [open, says, begins] = [[], false, false];
    } else if (SAYS.has(bare) && open.length > 0) says = true;
    else if (bare !== "" && !JOINS.has(bare) && !isMarker(bare)) {
      verb = undefined;
      [open, says, begins] = [[], false, false];
    }
    if (path === undefined && (word.endsWith(".") || word.endsWith(";")) && !isMarker(bare)) verb = undefined;
  }
}

/** `변경 없음` */
const DENIES = /^[없않안못]/;
const HANGUL = /[\uac00-\ud7a3]/;

/** A word without the punctuation around it. */
function bareOf(word: string): string {
  return word.length > 1 ? word.toLowerCase().replace(/[.,;()[\]"]/g, "") : word;
}

/** What a word says was done; a Korean one with any ending but one that denies. */
function verbOf(word: string): ArtifactStatus | undefined {
  const own = VERBS.get(word);
  if (own !== undefined || !HANGUL.test(word) || word.endsWith("지")) return own;
  return VERBS.get(word.slice(0, 2));
}

function endsPhrase(word: string, next: string | undefined): boolean {
  return next === undefined || next === "|" || ".,;)".includes(word.at(-1)!);
}

/** `-`, `12.`, `[x]`: what opens an item. */
function isMarker(word: string): boolean {
  return /^(?:[-*+x]|\d{1,9})$/.test(word);
}

/** What names no file has none of these: most sentences. */
const MAY_NAME = /\/|\.\S/;

/** The one file that a word names. */
function pathIn(word: string): string | undefined {
  if (!word.includes("/") && !word.includes(".")) return undefined;
  let path: string | undefined;
  scanEntities(word, ({ kind, key }) => {
    if (kind === "path" && !key.includes("://") && !key.startsWith("/api/")) path ??= key;
  });
  return path;
}

/** How much of an index a reader is told, and where the rest can be read. */
export interface ArtifactRoom {
  readonly tokens: number;
  readonly where: string;
}

/** Characters that part two names of a list, and their tokens. */
const SEPARATOR = ", ";
/** Tokens that the label of a line and its count take, at most. */
const AROUND = 12;

/**
 * The index as lines for a reader; empty when there is nothing to tell. Where it has no room, what was decided comes first, each line says how many more there are, and a pointer to the whole stands at the end.
 */
export function artifactText({ files, decided, left }: ArtifactIndex, room?: ArtifactRoom): string {
  const lists = [
    ...(["created", "modified", "deleted"] as const).map(status => ({
      label: status,
      names: files.filter(file => file.status === status).map(file => file.path),
    })),
    { label: "decided", names: decided },
  ].filter(({ names }) => names.length > 0);
  const whole = lists.map(({ label, names }) => `${label}: ${names.join(SEPARATOR)}`);
  if (left > 0) whole.push(`and ${left} more`);
  const text = whole.join("\n");
  if (room === undefined || countCapped(text, room.tokens) !== undefined) return text;
  const pointer = `whole: ${room.where}`;
  const told = new Map<string, string>();
  let rest = room.tokens - countTokens(pointer);
  for (const { label, names } of [...lists].sort((a, b) => WORTH.indexOf(a.label) - WORTH.indexOf(b.label))) {
    const line = shortened(label, names, rest);
    rest -= countTokens(line) + 1;
    told.set(label, line);
  }
  const lines = lists.flatMap(({ label }) => told.get(label) ?? []);
  return [...lines, ...(left > 0 ? [`and ${left} more`] : []), pointer].join("\n");
}

/** What is told first where not all can be. */
const WORTH: readonly string[] = ["decided", "deleted", "created", "modified"];

/** As many names as have room, and how many more there are. */
function shortened(label: string, names: readonly string[], room: number): string {
  let rest = room - AROUND;
  const told: string[] = [];
  for (const name of names) {
    const cost = countTokens(name) + 1;
    if (cost > rest) break;
    rest -= cost;
    told.push(name);
  }
  const more = names.length - told.length;
  const list = told.join(SEPARATOR);
  if (more === 0) return `${label}: ${list}`;
  return told.length === 0 ? `${label}: ${more}` : `${label}: ${list}${SEPARATOR}and ${more} more`;
}
