import { AIMS, BINDS, cuesOf, DECIDES, DENIES, LEADS_ON, REASONS, REJECTS, STATES, WARNS } from "./cues.ts";
import { labelOf } from "./lines.ts";
import { sectionSigns, statementSigns, tellsMaking } from "./signs.ts";
import type { Piece } from "./types.ts";

/**
 * How a trait changes the number of essential statements that a piece is likely to make, as a logarithm: a Poisson regression with
 * a penalty on large weights over the pieces of 54 reports whose essential facts are known, of traits that tell about reports left
 * out of it, too.
 */
const TRAIT = {
  /** Its terms stand in a statement of another section, too; in how many, as a logarithm; in a later one. */
  restated: 0.42,
  sections: 0.44,
  later: 0.2,
  /** Its terms are those of the document's first statement; it is the first sentence, or says what the work is for where that is told. */
  opening: 0.35,
  lead: 0.36,
  aim: 0.6,
  /** Terms per token, and names, as logarithms. */
  density: 0.77,
  names: 0.11,
  /** A number; `26/26`, `90 %`; a number and what it counts. */
  digit: 0.15,
  ratio: 0.34,
  unit: 0.32,
  /** Names a file; a place in one. */
  file: -0.46,
  place: -0.4,
  /** A rule; advice or a choice; what somebody did; who wrote it. */
  rule: 0.49,
  advice: 0.17,
  telling: -0.4,
  credit: -1.06,
  /** How something is tried, or was seen; a stage of the work. */
  trying: -0.29,
  stage: 0.12,
  /** Of a finding, its own or its section's: how grave it is. */
  severe: 0.3,
  minor: -0.34,
  /** A line of its own; what a sentence can do without. */
  line: 0.24,
  part: -0.34,
  /** Its author set it, or its beginning, in bold. */
  strong: 0.1,
  /** Goes on a sentence; stands under a line; stands under a line that says something only above others. */
  goesOn: -0.42,
  nested: -0.26,
  led: 0.17,
  /** The first one under its heading; right below what it stands under; as a logarithm, how many stand under the same one. */
  first: 0.25,
  below: -0.13,
  siblings: -0.19,
  /** In front matter, and says nothing of a rule, a state or the like. */
  bare: -0.39,
  /** Per heading between its own and the document's. */
  deep: -0.37,
  /** As logarithms, how many lines begin, and of its section end, like it: those of logs and lists of one kind say little each. */
  alike: -0.35,
  ending: -0.42,
  /** Of a heading: that it is one; that it counts its like; a rule, advice or a choice in it. */
  heading: -0.82,
  countedHeading: 0.93,
  statingHeading: 0.39,
  /** Its section is one of many; is about logs, files and the like; tells how something came about. */
  counted: -0.16,
  passing: -0.38,
  detail: -0.35,
} as const;

type Cues = readonly (readonly [cue: number, worth: number])[];

/** What its own words, its label, the line it stands under, its heading and those above that say that it does. */
const OWN: Cues = [
  [DENIES, 0.38],
  [REASONS, -0.22],
  [REJECTS, -0.16],
  [AIMS, -0.18],
];
const LABEL: Cues = [
  [BINDS, 0.47],
  [DENIES, 0.09],
  [STATES, 0.48],
  [REJECTS, -0.46],
];
const LEAD: Cues = [
  [DECIDES, 0.19],
  [REJECTS, -0.59],
  [STATES, -0.15],
  [LEADS_ON, -0.62],
  [WARNS, -0.37],
];
const SECTION: Cues = [
  [DECIDES, 0.23],
  [LEADS_ON, 0.09],
  [REASONS, -1.02],
];
const ABOVE: Cues = [
  [LEADS_ON, 0.33],
  [DECIDES, 0.34],
  [WARNS, 0.64],
];

/** Worth of a piece grows less than its tokens: short statements say more for what they cost. */
const COST = 0.61;
/** Pieces that share a term that is in more of them are not compared by it. */
const MOST_SHARING = 16;
/** What two statements have in common, rare terms counting more, from which on one says the other again. */
const RESTATED = 0.25;
/** Likeness of lines beyond two or three of a kind. */
const A_PAIR = Math.log(3);
/** Characters of a piece that its likeness to others is told by. */
const LONGEST_SHAPE = 120;
const LONGEST_ENDING = 40;
/** Characters that the first sentence of a document has more than. */
const SHORTEST_LEAD = 30;
/** Lines above a piece that are asked what they say of it, and characters of one that is short. */
const MOST_STEPS = 6;
const LONGEST_LEAD = 40;
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
  const lead = pieces.findIndex(
    ({ kind, heading, text }) =>
      kind === "sentence" && heading >= 0 && text.length > SHORTEST_LEAD && !statementSigns(text).credit,
  );
  const begins = firstStatementsOf(pieces);
  const siblings = siblingsOf(pieces);
  const shapes = shapesOf(pieces);
  const alike = likenessOf(shapes);
  const endings = endingsOf(pieces);
  const sharing = sharingOf(pieces, features, counts);
  const rarity = counts.map(count => Math.log(1 + pieces.length / (count + 0.5)) ** 2);
  const lengths = features.map(own => Math.sqrt(own.reduce((sum, feature) => sum + rarity[feature]!, 0)));

  const ofRestating = (at: number): number => {
    const shared = new Map<number, { terms: number; rare: number }>();
    for (const feature of features[at]!)
      for (const other of sharing.get(feature) ?? []) {
        if (pieces[other]!.heading === pieces[at]!.heading || features[other]!.length < 3) continue;
        // Two that begin alike say the same again; lines of a list or log that do not.
        if (alike[at]! > A_PAIR && shapes[other] === shapes[at]) continue;
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
  const sectionOf = sectionsOf(pieces, top);
  const ofPlace = (at: number): number => {
    const { kind, heading, under } = pieces[at]!;
    const parent = pieces[under]?.kind;
    return (
      sectionOf(heading).worth +
      (sectionOf(heading).signs.counted ? TRAIT.counted : 0) +
      (begins.has(at) ? TRAIT.first : 0) +
      (under >= 0 && at === under + 1 ? TRAIT.below : 0) +
      (at === lead ? TRAIT.lead : 0) +
      (heading < 0 && at < top ? ofKeys(pieces, at) : 0) +
      (parent === "line" ? TRAIT.nested : parent === "sentence" ? TRAIT.goesOn : 0) +
      ofLead(pieces, at) +
      (kind === "line" ? TRAIT.line : kind === "part" ? TRAIT.part : 0)
    );
  };
  return {
    COST,
    of(at, cost) {
      const { kind, text, heading, under } = pieces[at]!;
      const isHeading = kind === "heading";
      const own = statementSigns(text);
      const around = sectionOf(heading).signs;
      return (
        ofTerms(at, cost) +
        (isHeading ? ofHeading(text) + sectionOf(under).worth : ofPlace(at) + ofWords(text, own)) +
        (own.aim && around.aim && !isHeading ? TRAIT.aim : 0) +
        (own.severe || around.severe ? TRAIT.severe : 0) +
        (own.minor || around.minor ? TRAIT.minor : 0) +
        ofText(pieces[at]!, own) +
        ofRestating(at) +
        TRAIT.siblings * Math.log(1 + (siblings.get(under) ?? 0)) +
        TRAIT.alike * alike[at]! +
        TRAIT.ending * endings[at]!
      );
    },
  };
}

type Signs = ReturnType<typeof statementSigns>;

/** A heading tells most where it is one of a list of decisions or findings, or states one. */
function ofHeading(text: string): number {
  const { rule, advice } = statementSigns(text);
  return (
    TRAIT.heading +
    (sectionSigns(text).counted ? TRAIT.countedHeading : 0) +
    (rule || advice ? TRAIT.statingHeading : 0)
  );
}

/** What is said of pieces by the headings they stand under, by the innermost of them; by the document's own, nothing. */
function sectionsOf(pieces: readonly Piece[], top: number) {
  const known = new Map<
    number,
    { readonly worth: number; readonly signs: ReturnType<typeof sectionSigns> }
  >();
  return (heading: number) => {
    const before = known.get(heading);
    if (before !== undefined) return before;
    const above: number[] = [];
    for (let at = heading; at >= 0; at = pieces[at]!.under) above.push(at);
    const text = heading < 0 || heading === top ? "" : pieces[heading]!.text;
    const signs = sectionSigns(text);
    const around = above.slice(1).reduce((cues, at) => cues | (at === top ? 0 : cuesOf(pieces[at]!.text)), 0);
    const worth =
      worthOf(SECTION, cuesOf(text)) +
      worthOf(ABOVE, around) +
      (signs.passing ? TRAIT.passing : 0) +
      (signs.detail ? TRAIT.detail : 0) +
      TRAIT.deep * Math.max(0, above.length - 2);
    const section = { worth, signs };
    known.set(heading, section);
    return section;
  };
}

/** Of front matter: it, or a key above it, tells how the text was made; it says nothing that an essential statement says. */
function ofKeys(pieces: readonly Piece[], at: number): number {
  const { text } = pieces[at]!;
  let isMaking = false;
  for (let key = at; key >= 0 && !isMaking; key = pieces[key]!.under)
    isMaking = tellsMaking(pieces[key]!.text);
  return (isMaking ? TRAIT.credit : 0) + (cuesOf(text) === 0 && !statementSigns(text).rule ? TRAIT.bare : 0);
}

/** What the line says that a piece stands under: `**Rejected:**`, `> **Decision 4.**` */
function ofLead(pieces: readonly Piece[], piece: number): number {
  let at = pieces[piece]!.under;
  for (let steps = 0; steps < MOST_STEPS && at >= 0; steps++) {
    const { kind, text, opens, under } = pieces[at]!;
    if (kind === "heading") return 0;
    if (opens === true || /[:：]$/.test(text) || text.length < LONGEST_LEAD)
      return TRAIT.led + worthOf(LEAD, cuesOf(text));
    at = under;
  }
  return 0;
}

const A_UNIT =
  /\d ?(?:ms|s|MB|KB|GB|V|Hz|%|분|초|개|건|x|px|h|min|days?|files?|tests?|lines?)(?![\p{L}\p{N}_])/u;

function ofWords(text: string, { rule, advice, place, trying, stage }: Signs): number {
  return (
    worthOf(OWN, cuesOf(text)) +
    (rule ? TRAIT.rule : 0) +
    (advice ? TRAIT.advice : 0) +
    (place ? TRAIT.place : 0) +
    (trying ? TRAIT.trying : 0) +
    (stage ? TRAIT.stage : 0) +
    (/\d/.test(text) ? TRAIT.digit : 0)
  );
}

function ofText({ text, strong }: Piece, { telling, credit }: Signs): number {
  const label = labelOf(text);
  return (
    (label === "" ? 0 : worthOf(LABEL, cuesOf(label))) +
    (telling ? TRAIT.telling : 0) +
    (credit ? TRAIT.credit : 0) +
    (/\d ?(?:\/ ?\d|%)/.test(text) ? TRAIT.ratio : 0) +
    (A_UNIT.test(text) ? TRAIT.unit : 0) +
    (text.includes("/") && /\.\w{2,4}\b/.test(text) ? TRAIT.file : 0) +
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

/** The first words of each piece, numbers and names aside. */
function shapesOf(pieces: readonly Piece[]): string[] {
  return pieces.map(({ kind, text }) => {
    if (kind === "heading" || kind === "table" || kind === "block") return "";
    return (text.slice(0, LONGEST_SHAPE).match(/\p{L}+/gu) ?? []).slice(0, 4).join(" ");
  });
}

/** How many pieces have the shape of each, as a logarithm. */
function likenessOf(shapes: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return shapes.map(shape => (shape === "" ? 0 : Math.log(counts.get(shape)!)));
}

/** Beyond two of a kind, how many pieces of its section end with the last word of each, as a logarithm: `… E2E`, `… | Passed`. */
function endingsOf(pieces: readonly Piece[]): number[] {
  const ends = pieces.map(({ kind, text, heading }) => {
    const last = text
      .slice(-LONGEST_ENDING)
      .match(/\p{L}+/gu)
      ?.at(-1);
    return last === undefined || !isStatement(kind) || kind === "block" ? "" : `${heading} ${last}`;
  });
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  return ends.map(end => (end === "" ? 0 : Math.max(0, Math.log(counts.get(end)! / 2))));
}

/** The first statements under their headings. */
function firstStatementsOf(pieces: readonly Piece[]): ReadonlySet<number> {
  const begins = new Set<number>();
  const begun = new Set<number>();
  for (const [at, { kind, heading }] of pieces.entries()) {
    if (!isStatement(kind)) continue;
    if (heading >= 0 && !begun.has(heading)) begins.add(at);
    begun.add(heading);
  }
  return begins;
}

/** How many statements stand under each piece. */
function siblingsOf(pieces: readonly Piece[]): ReadonlyMap<number, number> {
  const siblings = new Map<number, number>();
  for (const { kind, under } of pieces)
    if (kind !== "heading" && kind !== "part") siblings.set(under, (siblings.get(under) ?? 0) + 1);
  return siblings;
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
