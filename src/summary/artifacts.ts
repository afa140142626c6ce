import { countCapped, countTokens } from "../tokens/index.ts";
import { type Entity, scanEntities } from "./entity/index.ts";
import type { Piece } from "./extract/index.ts";
import { MOST_ARTIFACTS } from "./limits.ts";

export type ArtifactStatus = "created" | "modified" | "deleted" | "read";

export interface Artifact {
  readonly path: string;
  readonly status: ArtifactStatus;
}

/** What an output touched and decided, kept outside of every summary. */
export interface ArtifactIndex {
  readonly files: readonly Artifact[];
  /** Ids that a statement decides or defines: `D-7`, `ADR-002`. */
  readonly decided: readonly string[];
  /** How many more there were than the index holds. */
  readonly left: number;
}

const STATUS: readonly (readonly [ArtifactStatus, RegExp])[] = [
  ["deleted", /\b(?:deleted?|removed?|removes|deletes)\b|삭제|제거/iu],
  ["created", /\b(?:created?|creates|added|adds|add|new file|new|wrote|generated)\b|생성|추가|신규|작성/iu],
  [
    "modified",
    /\b(?:modif(?:y|ied|ies)|updated?|updates|changed?|changes|edited|edits|edit|renamed|fixed|extended)\b|수정|변경|갱신|편집/iu,
  ],
  ["read", /\b(?:read|reads|reviewed|inspected|checked)\b|읽음|확인|검토/iu],
];
/** The strongest word of all statements about a file counts. */
const RANK: Readonly<Record<ArtifactStatus, number>> = { read: 0, modified: 1, created: 2, deleted: 3 };
const DECIDES = /decision|decided|decide|chosen|chose|adopt|accepted|approved|결정|채택|확정|승인|선택/iu;

/** Reads what an output says it touched and decided; linear in its pieces. */
export function artifactsOf(pieces: readonly Piece[]): ArtifactIndex {
  const files = new Map<string, ArtifactStatus>();
  const decided = new Set<string>();
  let left = 0;
  for (const { kind, text, title } of pieces) {
    if (kind === "code" || kind === "fence") continue;
    const decides = DECIDES.test(text) || DECIDES.test(title);
    const titled = statusIn(title)?.status;
    for (const { word, status = titled } of wordsWithStatus(text)) {
      scanEntities(word, entity => {
        if (isFile(entity) && status !== undefined) {
          const before = files.get(entity.key);
          if (before === undefined && files.size >= MOST_ARTIFACTS) left++;
          else if (before === undefined || RANK[status] > RANK[before]) files.set(entity.key, status);
        } else if (entity.kind === "id" && decides && !decided.has(entity.key)) {
          if (decided.size < MOST_ARTIFACTS) decided.add(entity.key);
          else left++;
        }
      });
    }
  }
  return { files: [...files].map(([path, status]) => ({ path, status })), decided: [...decided], left };
}

interface Said {
  readonly status: ArtifactStatus;
  readonly korean: boolean;
}

/** The words of a statement, each with what is said about it: in English before it, in Korean behind it. */
function wordsWithStatus(text: string): { readonly word: string; readonly status?: ArtifactStatus }[] {
  const words = text.split(" ");
  const said = words.map(statusIn);
  const behind: (Said | undefined)[] = [];
  for (let at = words.length - 1; at >= 0; at--) behind[at] = said[at] ?? behind[at + 1];
  let before: Said | undefined;
  return words.map((word, at) => {
    before = said[at] ?? before;
    const next = behind[at];
    const found = next?.korean === true ? next : (before ?? next);
    return found === undefined ? { word } : { word, status: found.status };
  });
}

/** What a word or heading says was done; names of files say nothing. */
function statusIn(text: string): Said | undefined {
  if (text.includes("/") || text.includes("`")) return undefined;
  const status = STATUS.find(([, words]) => words.test(text))?.[0];
  return status === undefined ? undefined : { status, korean: /\p{Script=Hangul}/u.test(text) };
}

function isFile({ kind, key }: Entity): boolean {
  return kind === "path" && !key.includes("://") && !key.startsWith("/api/");
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
 * The index as lines for a reader; empty when there is nothing to tell. Where it has no room, what was decided comes first, what
 * was only read last, each line says how many more there are, and a pointer to the whole stands at the end.
 */
export function artifactText({ files, decided, left }: ArtifactIndex, room?: ArtifactRoom): string {
  const lists = [
    ...(["created", "modified", "deleted", "read"] as const).map(status => ({
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
const WORTH: readonly string[] = ["decided", "deleted", "created", "modified", "read"];

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
