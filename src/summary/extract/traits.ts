import { AIMS, BINDS, cuesOf, DECIDES, DENIES, LEADS_ON, REASONS, REJECTS, STATES, WARNS } from "./cues.ts";
import { labelOf } from "./lines.ts";
import type { Piece } from "./types.ts";

/**
 * How a trait changes the number of essential statements that a piece is likely to make, as a logarithm: a Poisson regression
 * over 2,400 pieces of 16 reports whose essential facts are known, held near what their words mean where few pieces have it.
 */
const TRAIT = {
  /** Its terms stand in a statement of another section, too. */
  restated: 1,
  /** Its terms are those of the document's first statement; of its title. */
  opening: 0.7,
  title: -0.6,
  /** Share of its terms that come again. */
  repeated: 0.35,
  /** Terms per token, and names, as logarithms. */
  density: 0.5,
  names: 0.25,
  /** `26/26`, `90 %`; any other digit. */
  ratio: 0.5,
  digit: 0.15,
  /** Names a file. */
  file: -0.45,
  strong: 0.35,
  /** The first one under its heading; among the last tenth of the document. */
  first: 0.2,
  last: 0.25,
  /** Per level of its heading below the second. */
  deep: -0.3,
  nested: -0.15,
  row: -0.2,
  /** A block of data; of code. */
  data: -0.4,
  code: -1,
  heading: -0.25,
  /** Ends with a colon. */
  opens: -0.2,
  /** As a logarithm, how many lines are made like it: those of logs say next to nothing each. */
  alike: -0.25,
  /** Under a heading about logs, files, commits and the like. */
  passing: -0.45,
} as const;

type Cues = readonly (readonly [cue: number, worth: number])[];

/** What its own words, its label and its headings say that it does. */
const OWN: Cues = [
  [DENIES, 0.35],
  [BINDS, 0.35],
  [DECIDES, 0.15],
  [REASONS, -0.25],
  [REJECTS, -0.3],
  [AIMS, -0.25],
];
const LABEL: Cues = [
  [BINDS, 0.5],
  [STATES, 0.35],
  [LEADS_ON, 0.3],
  [DECIDES, 0.25],
  [WARNS, 0.25],
  [REJECTS, -0.5],
];
const SECTION: Cues = [
  [LEADS_ON, 0.4],
  [DECIDES, 0.2],
  [BINDS, 0.2],
  [REJECTS, -0.2],
];
const PASSING =
  /log\b|transcript|trace|history|raw|appendix|commit|performance|metric|files?\b|self-check|reference|changelog|anti-pattern|signature|provenance|tags|artifact|로그|부록|기록|커밋|이력|참고|산출물|파일/iu;

/** Worth of a piece grows less than its tokens: short statements say more for what they cost. */
const COST = 0.75;
/** Pieces that share a term that is in more of them are not compared by it. */
const MOST_SHARING = 16;
/** Characters of a piece that its likeness to others is told by. */
const LONGEST_SHAPE = 120;
/** Documents of more pieces are data: nothing is compared. */
const MOST_COMPARED = 5000;

export interface Terms {
  readonly features: readonly (readonly number[])[];
  /** In how many pieces each feature stands. */
  readonly counts: readonly number[];
  readonly isName: readonly boolean[];
}

/** What the pieces of a document are likely to tell, apart from their length. */
export function createTraits(
  pieces: readonly Piece[],
  { features, counts, isName }: Terms,
): { readonly COST: number; of(piece: number, cost: number): number } {
  const top = pieces.findIndex(({ kind }) => kind === "heading");
  const first = pieces.findIndex(({ kind, heading }, at) => at > top && heading >= 0 && isStatement(kind));
  const title = new Set(features[top]);
  const opening = new Set(features[first]);
  const sections = pieces.map(({ kind, text }, at) =>
    kind === "heading" && at !== top ? sectionOf(text) : 0,
  );
  const begins = beginnings(pieces);
  const alike = likenessOf(pieces);
  const sharing = sharingOf(pieces, features, counts);

  const restated = (at: number): number => {
    const shared = new Map<number, number>();
    for (const feature of features[at]!)
      for (const other of sharing.get(feature) ?? [])
        if (pieces[other]!.heading !== pieces[at]!.heading) shared.set(other, (shared.get(other) ?? 0) + 1);
    let most = 0;
    for (const [other, terms] of shared) {
      const size = features[other]!.length;
      if (size >= 3) most = Math.max(most, terms / Math.sqrt(features[at]!.length * size));
    }
    return most;
  };
  const ofTerms = (at: number, cost: number): number => {
    const own = features[at]!;
    if (own.length === 0) return 0;
    const share = (is: (feature: number) => boolean) => own.filter(is).length / own.length;
    return (
      (at === top ? 0 : TRAIT.title * share(feature => title.has(feature))) +
      TRAIT.opening * share(feature => opening.has(feature)) +
      TRAIT.repeated * share(feature => counts[feature]! > 1) +
      TRAIT.density * Math.log((own.length + 0.5) / (cost + 3)) +
      TRAIT.names * Math.log(1 + own.filter(feature => isName[feature] === true).length)
    );
  };
  const ofPlace = (at: number): number => {
    const { heading, kind, text, under } = pieces[at]!;
    let worth = (at > 0.9 * pieces.length ? TRAIT.last : 0) + (begins.has(at) ? TRAIT.first : 0);
    if (heading >= 0) worth += TRAIT.deep * (pieces[heading]!.text.indexOf(" ") - 2) + sections[heading]!;
    const above = heading < 0 ? -1 : pieces[heading]!.under;
    if (above >= 0) worth += sections[above]!;
    if (pieces[under]?.kind === "line") worth += TRAIT.nested;
    return worth + (kind === "row" ? TRAIT.row : kind === "block" ? ofBlock(text) : 0);
  };
  const ofText = ({ text, strong }: Piece): number => {
    const label = labelOf(text);
    return (
      worthOf(OWN, cuesOf(text)) +
      (label === "" ? 0 : worthOf(LABEL, cuesOf(label))) +
      (strong === true ? TRAIT.strong : 0) +
      (/\d/.test(text.slice(4)) ? TRAIT.digit : 0) +
      (/\d ?(?:\/ ?\d|%)/.test(text) ? TRAIT.ratio : 0) +
      (text.includes("/") && /\.\w{2,4}\b/.test(text) ? TRAIT.file : 0) +
      (text.endsWith(":") ? TRAIT.opens : 0)
    );
  };
  return {
    COST,
    of(at, cost) {
      const piece = pieces[at]!;
      if (piece.kind === "heading") return ofTerms(at, cost) + TRAIT.heading;
      return (
        ofTerms(at, cost) +
        ofPlace(at) +
        ofText(piece) +
        TRAIT.restated * restated(at) +
        TRAIT.alike * alike[at]!
      );
    },
  };
}

function ofBlock(text: string): number {
  return /^[`~]{3,9} ?(?:ya?ml|json|toml)\b/.test(text) ? TRAIT.data : TRAIT.code;
}

function isStatement(kind: Piece["kind"]): boolean {
  return kind !== "heading" && kind !== "part" && kind !== "table";
}

function worthOf(cues: Cues, there: number): number {
  let worth = 0;
  for (const [cue, own] of cues) if ((there & cue) !== 0) worth += own;
  return worth;
}

function sectionOf(heading: string): number {
  return worthOf(SECTION, cuesOf(heading)) + (PASSING.test(heading) ? TRAIT.passing : 0);
}

/** How many pieces have the first words of each, numbers and names aside, as a logarithm. */
function likenessOf(pieces: readonly Piece[]): number[] {
  const shapes = pieces.map(({ kind, text }) => {
    if (kind === "heading" || kind === "table" || kind === "block") return "";
    return (text.slice(0, LONGEST_SHAPE).match(/\p{L}+/gu) ?? []).slice(0, 4).join(" ");
  });
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return shapes.map(shape => (shape === "" ? 0 : Math.log(counts.get(shape)!)));
}

/** The first statements under their headings. */
function beginnings(pieces: readonly Piece[]): ReadonlySet<number> {
  const begun = new Set<number>();
  const first = new Set<number>();
  for (const [at, { kind, heading }] of pieces.entries()) {
    if (heading < 0 || kind === "heading" || kind === "part" || begun.has(heading)) continue;
    begun.add(heading);
    first.add(at);
  }
  return first;
}

/** The pieces in which each term stands that is not in too many. */
function sharingOf(
  pieces: readonly Piece[],
  features: Terms["features"],
  counts: Terms["counts"],
): ReadonlyMap<number, readonly number[]> {
  const sharing = new Map<number, number[]>();
  if (pieces.length > MOST_COMPARED) return sharing;
  for (const [at, own] of features.entries()) {
    if (pieces[at]!.kind === "heading") continue;
    for (const feature of own) {
      if (counts[feature]! > MOST_SHARING) continue;
      const list = sharing.get(feature);
      if (list === undefined) sharing.set(feature, [at]);
      else list.push(at);
    }
  }
  return sharing;
}
