import { BINDS, cuesOf, DECIDES, DENIES, LEADS_ON, REASONS, REJECTS, STATES, WARNS } from "./cues.ts";
import { labelOf } from "./lines.ts";
import type { Piece } from "./types.ts";

/**
 * How a trait changes the number of essential statements that a piece is likely to make, as a logarithm: a Poisson regression
 * over 2,500 pieces of 16 reports whose essential facts are known, of those traits that also tell about reports left out of it, and
 * then moved a little towards what levels of 220 to 1,100 tokens keep.
 */
const TRAIT = {
  /** Its terms stand in a statement of another section, too; in how many, as a logarithm; in a later one. */
  restated: 0.82,
  sections: 0.18,
  later: 0.38,
  /** Its terms are those of the document's first statement. */
  opening: 0.18,
  /** Terms per token, and names, as logarithms. */
  density: 0.39,
  names: 0.14,
  /** `26/26`, `90 %`; a number and what it counts. */
  ratio: 0.75,
  unit: 0.34,
  /** Names a file. */
  file: -0.9,
  /** A line of its own; a row; a block of data; of code. */
  line: 0.35,
  row: -0.4,
  data: -0.3,
  code: -0.64,
  /** Its author set it, or its beginning, in bold. */
  strong: 0.2,
  /** Goes on a sentence; stands under a line. */
  goesOn: -0.09,
  nested: -0.26,
  /** The first one under its heading; among the last tenth of the document. */
  first: 0.19,
  last: 0.4,
  /** As a logarithm, how many pieces stand under the same one before it. */
  place: -0.09,
  /** In front matter, and says nothing of a rule, a state or the like. */
  above: -0.58,
  /** Per level of its heading below the second. */
  deep: -0.75,
  heading: -0.83,
  question: -2.5,
  /** As a logarithm, how many lines are made like it: those of logs say next to nothing each. */
  alike: -0.54,
  /** Under a heading about logs, files, commits and the like. */
  passing: -0.72,
} as const;

type Cues = readonly (readonly [cue: number, worth: number])[];

/** What its own words, its label and its heading say that it does; what the heading above that says. */
const OWN: Cues = [
  [BINDS, 0.42],
  [DENIES, 0.09],
  [REASONS, -0.04],
  [REJECTS, -0.21],
];
const LABEL: Cues = [
  [BINDS, 0.24],
  [STATES, 0.14],
  [LEADS_ON, 0.26],
  [WARNS, 0.15],
  [REJECTS, -1],
];
const SECTION: Cues = [
  [DECIDES, 0.1],
  [LEADS_ON, 0.32],
  [BINDS, 0.1],
];
const ABOVE: Cues = [[LEADS_ON, 0.43]];
const PASSING =
  /log\b|transcript|trace|history|raw|appendix|commit|performance|metric|files?\b|self-check|reference|changelog|anti-pattern|signature|provenance|tags|artifact|로그|부록|기록|커밋|이력|참고|산출물|파일/iu;

/** Worth of a piece grows less than its tokens: short statements say more for what they cost. */
const COST = 0.65;
/** Pieces that share a term that is in more of them are not compared by it. */
const MOST_SHARING = 16;
/** What two statements have in common, rare terms counting more, from which on one says the other again. */
const RESTATED = 0.25;
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
  const opening = new Set(features[first]);
  const { begins, places } = placesOf(pieces);
  const alike = likenessOf(pieces);
  const sharing = sharingOf(pieces, features, counts);
  const rarity = counts.map(count => Math.log(1 + pieces.length / (count + 0.5)) ** 2);
  const lengths = features.map(own => Math.sqrt(own.reduce((sum, feature) => sum + rarity[feature]!, 0)));

  const ofRestating = (at: number): number => {
    const shared = new Map<number, { terms: number; rare: number }>();
    for (const feature of features[at]!)
      for (const other of sharing.get(feature) ?? []) {
        if (pieces[other]!.heading === pieces[at]!.heading || features[other]!.length < 3) continue;
        const known = shared.get(other);
        if (known === undefined) shared.set(other, { terms: 1, rare: rarity[feature]! });
        else {
          known.terms++;
          known.rare += rarity[feature]!;
        }
      }
    let most = 0;
    let later = 0;
    const sections = new Set<number>();
    for (const [other, { terms, rare }] of shared) {
      most = Math.max(most, terms / Math.sqrt(features[at]!.length * features[other]!.length));
      const likeness = rare / (lengths[at]! * lengths[other]!);
      if (likeness > RESTATED) sections.add(pieces[other]!.heading);
      if (other > at) later = Math.max(later, likeness);
    }
    return TRAIT.restated * most + TRAIT.sections * Math.log(1 + sections.size) + TRAIT.later * later;
  };
  const ofTerms = (at: number, cost: number): number => {
    const own = features[at]!;
    const names = own.filter(feature => isName[feature] === true).length;
    return (
      (TRAIT.opening * own.filter(feature => opening.has(feature)).length) / Math.max(1, own.length) +
      TRAIT.density * Math.log((own.length + 0.5) / (cost + 3)) +
      TRAIT.names * Math.log(1 + names)
    );
  };
  const sections = pieces.map(({ kind, text, under }, at) => {
    if (kind !== "heading") return 0;
    const above = under >= 0 && under !== top ? worthOf(ABOVE, cuesOf(pieces[under]!.text)) : 0;
    return (
      above + (at === top ? 0 : worthOf(SECTION, cuesOf(text))) + (PASSING.test(text) ? TRAIT.passing : 0)
    );
  });
  const ofPlace = (at: number): number => {
    const { heading, kind, text, under } = pieces[at]!;
    const parent = pieces[under]?.kind;
    return (
      (heading < 0
        ? at < top && cuesOf(text) === 0
          ? TRAIT.above
          : 0
        : TRAIT.deep * (pieces[heading]!.text.indexOf(" ") - 2) + sections[heading]!) +
      TRAIT.place * Math.log(1 + places[at]!) +
      (at > 0.9 * pieces.length ? TRAIT.last : 0) +
      (begins.has(at) ? TRAIT.first : 0) +
      (parent === "line" ? TRAIT.nested : parent === "sentence" ? TRAIT.goesOn : 0) +
      (kind === "line" ? TRAIT.line : kind === "row" ? TRAIT.row : kind === "block" ? ofBlock(text) : 0)
    );
  };
  return {
    COST,
    of(at, cost) {
      if (pieces[at]!.kind === "heading") return ofTerms(at, cost) + TRAIT.heading;
      return (
        ofTerms(at, cost) + ofPlace(at) + ofText(pieces[at]!) + ofRestating(at) + TRAIT.alike * alike[at]!
      );
    },
  };
}

const A_UNIT =
  /\d ?(?:ms|s|MB|KB|GB|V|Hz|%|분|초|개|건|x|px|h|min|days?|files?|tests?|lines?)(?![\p{L}\p{N}_])/u;

function ofBlock(text: string): number {
  return /^[`~]{3,9} ?(?:ya?ml|json|toml)\b/.test(text) ? TRAIT.data : TRAIT.code;
}

function ofText({ text, strong }: Piece): number {
  const label = labelOf(text);
  return (
    worthOf(OWN, cuesOf(text)) +
    (label === "" ? 0 : worthOf(LABEL, cuesOf(label))) +
    (/\d ?(?:\/ ?\d|%)/.test(text) ? TRAIT.ratio : 0) +
    (A_UNIT.test(text) ? TRAIT.unit : 0) +
    (text.includes("/") && /\.\w{2,4}\b/.test(text) ? TRAIT.file : 0) +
    (text.endsWith("?") ? TRAIT.question : 0) +
    (strong === true ? TRAIT.strong : 0)
  );
}

function isStatement(kind: Piece["kind"]): boolean {
  return kind !== "heading" && kind !== "part" && kind !== "table";
}

function worthOf(cues: Cues, there: number): number {
  let worth = 0;
  for (const [cue, own] of cues) if ((there & cue) !== 0) worth += own;
  return worth;
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

/** The first statements under their headings, and how many pieces stand under the same one before each. */
function placesOf(pieces: readonly Piece[]): {
  readonly begins: ReadonlySet<number>;
  readonly places: readonly number[];
} {
  const begins = new Set<number>();
  const begun = new Set<number>();
  const siblings = new Map<number, number>();
  const places = pieces.map(({ kind, heading, under }, at) => {
    if (kind === "heading" || kind === "part" || kind === "table") return 0;
    const before = siblings.get(under) ?? 0;
    if (heading >= 0 && !begun.has(heading)) begins.add(at);
    begun.add(heading);
    siblings.set(under, before + 1);
    return before;
  });
  return { begins, places };
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
