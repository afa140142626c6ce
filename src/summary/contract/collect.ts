import { type Field, SINGLE } from "./fields.ts";
import type { Contract, ContractProblem, NextAgent, Option, VsLevel } from "./types.ts";
import { lineOf, readLevel, readNextAgent, readOption, readShare, scoreIn, withoutGroup } from "./values.ts";

/** Values of a list that are kept. */
const MOST_VALUES = 40;
/** Problems that are told. */
const MOST_PROBLEMS = 40;

type TextList = "reasons" | "strengths" | "weaknesses" | "improvements" | "sources" | "trace" | "assumptions";

/** A contract being read, from its best source to its worst: the first statement of a single field counts. */
export interface Collector {
  readonly problems: ContractProblem[];
  /** Takes a value as it was found. */
  add(field: Field, value: string): void;
  addOption(option: Option): void;
  addNext(next: NextAgent): void;
  problem(kind: ContractProblem["kind"], field: string, found: string): void;
  has(field: Field): boolean;
  finish(): Contract;
}

/** An empty contract to fill. */
export function createCollector(): Collector {
  const single = new Map<Field, string | number>();
  const lists = new Map<Field, string[]>();
  const options = new Map<string, Option>();
  const next = new Map<string, NextAgent>();
  const phases = new Set<number>();
  const problems: ContractProblem[] = [];

  const problem: Collector["problem"] = (kind, field, found) => {
    if (problems.length < MOST_PROBLEMS) problems.push({ kind, field, found: lineOf(found).slice(0, 80) });
  };
  const setOnce = (field: Field, value: string | number, found: string): void => {
    const before = single.get(field);
    if (before === undefined) single.set(field, value);
    else if (before !== value) problem("conflict", field, found);
  };
  const share = (field: "tScore" | "confidence", found: string): void => {
    const value = readShare(found, field === "confidence");
    if (typeof value === "string") problem(value, field, found);
    else setOnce(field, value, found);
  };
  const addOption = (option: Option): void => {
    if (option.option === "" || options.size >= MOST_VALUES) return;
    const before = options.get(option.option);
    options.set(option.option, { ...option, ...before });
  };
  const addSingle = (field: Field, found: string): void => {
    if (field === "tScore" || field === "confidence") share(field, found);
    else if (field === "level") {
      const level = readLevel(found);
      if (level !== undefined) setOnce(field, level, found);
      // `Level: 3` is a heading of something else.
      else if (/vs/i.test(found)) problem("unknown-level", field, found);
    } else if (field === "decision") addDecision(found);
    else if (!single.has(field)) single.set(field, found);
  };
  /** A decision may carry its score and its confidence in a bracket. */
  const addDecision = (found: string): void => {
    const { bare, parts } = withoutGroup(found);
    if (single.has("decision")) {
      setOnce("decision", bare, found);
      return;
    }
    single.set("decision", bare);
    for (const part of parts) {
      const score = scoreIn(part);
      if (score !== undefined && !single.has("tScore")) single.set("tScore", score);
      else if (/^(?:confidence|신뢰도)/i.test(part) && !single.has("confidence")) share("confidence", part);
    }
  };

  return {
    problems,
    problem,
    addOption,
    has: field =>
      single.has(field) ||
      lists.has(field) ||
      (field === "options" && options.size > 0) ||
      (field === "nextAgents" && next.size > 0) ||
      (field === "phases" && phases.size > 0),
    addNext: one => {
      if (one.agent !== "" && next.size < MOST_VALUES && !next.has(one.agent)) next.set(one.agent, one);
    },
    add(field, value) {
      const found = lineOf(value);
      if (found === "" || found === "-" || found === "–") return;
      if (SINGLE.has(field)) addSingle(field, found);
      else if (field === "options") addOption(readOption(found));
      else if (field === "nextAgents") this.addNext(readNextAgent(found));
      else if (field === "phases") {
        for (const digits of found.match(/\d{1,2}/g) ?? []) if (phases.size < 20) phases.add(Number(digits));
      } else {
        const list = lists.get(field) ?? [];
        lists.set(field, list);
        if (list.length < MOST_VALUES && !list.includes(found)) list.push(found);
      }
    },
    finish() {
      const text = (field: Field) => single.get(field) as string | undefined;
      const number = (field: Field) => single.get(field) as number | undefined;
      const list = (field: TextList) => lists.get(field) ?? [];
      return stated({
        agent: text("agent"),
        level: single.get("level") as VsLevel | undefined,
        decision: text("decision"),
        tScore: number("tScore"),
        confidence: number("confidence"),
        summary: text("summary"),
        reasons: list("reasons"),
        options: [...options.values()],
        strengths: list("strengths"),
        weaknesses: list("weaknesses"),
        improvements: list("improvements"),
        nextAgents: [...next.values()],
        phases: [...phases].sort((a, b) => a - b),
        sources: list("sources"),
        trace: list("trace"),
        assumptions: list("assumptions"),
      });
    },
  };
}

type Loose = { readonly [K in keyof Contract]: Contract[K] | undefined };

function stated(fields: Loose): Contract {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as unknown as Contract;
}
