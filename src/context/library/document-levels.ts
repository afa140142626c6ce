import type { PackageDocument, PackageNode, SourceForm, SourceLevels } from "../../assembly/index.ts";
import { type Budget, keptBy, mayCompressAgain, relevanceOf } from "../../budget/index.ts";
import { isOfAgent } from "../../text/index.ts";
import { look, type SummaryMemory } from "./result-levels.ts";
import type { Uses } from "./uses.ts";
import { loweredBy, raisedBy } from "./worth.ts";

/** Documents below this many tokens are whole or not at all: a shorter form would be hardly shorter. */
const LEAST = 300;
/** Characters that levels are made of for one package; the nearest documents come first. */
const MOST_READ = 1_000_000;
/** What a document is worth before anything is known of the task: a person's word counts for more than an agent's. */
const BY_PERSON = 0.5;
const BY_AGENT = 0.3;
/** What having all to do with the task adds. */
const RELEVANT = 0.4;

export interface DocumentFacts {
  readonly budget: Budget;
  readonly path: readonly PackageNode[];
  /** What the reader is to do. */
  readonly question: string;
  readonly usesOf: (source: string) => Uses;
  readonly count: (text: string) => number;
  readonly memory: SummaryMemory;
}

/** How the documents of a path may be told where not everything fits, and what each is worth to this reader. */
export function documentLevels(facts: DocumentFacts): (document: PackageDocument) => SourceLevels {
  const { budget, path, question, usesOf, count, memory } = facts;
  const documents = path.flatMap(node => node.documents);
  const relevance = relevanceOf(
    documents.map(({ label, text }) => ({ id: label, text, group: label })),
    question,
  );
  const byLabel = new Map(documents.map(({ label }, at) => [label, relevance[at]!]));
  let unread = MOST_READ;
  return document => {
    const { label, text, origin, hash } = document;
    const isAgents = isOfAgent(origin);
    const worth = (isAgents ? BY_AGENT : BY_PERSON) + RELEVANT * (byLabel.get(label) ?? 0);
    const uses = usesOf(label);
    const raised = raisedBy(worth, uses);
    // What a person wrote is worth no less because an agent says that it is wrong.
    const priority = isAgents ? loweredBy(raised, uses) : raised;
    const forms: SourceForm[] = [{ level: 0, text, retention: 1 }];
    const whole = count(text);
    let before = whole;
    // Of a longer one its beginning and its end are read.
    const read = Math.min(text.length, MOST_READ);
    if (before < LEAST || read > unread) return { forms, priority };
    unread -= read;
    const seen = look({ memory, budget }, { text, hash }, label);
    for (const { level, text: told } of seen.summaries) {
      const tokens = count(told);
      if (level === 0 || !mayCompressAgain(before, tokens)) continue;
      forms.push({ level, text: told, retention: keptBy(tokens / whole) });
      before = tokens;
    }
    return { forms, priority };
  };
}
