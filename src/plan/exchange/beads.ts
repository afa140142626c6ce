import { told } from "../../text/index.ts";
import { leftOut, withPutOff } from "../graph/put-off.ts";
import { validate } from "../graph/validate.ts";
import { firstOfEach, linkIds } from "../json/link-ids.ts";
import type { ReadContext } from "../read-context.ts";
import type { Place, Report } from "../report.ts";
import { itemsOf, type Json, member, parseJson, textOf } from "../syntax/json-text.ts";
import type { Task } from "../types.ts";
import { knownAlone } from "./known.ts";

/** One line of the file. */
export interface Bead {
  readonly id: string;
  /** Offset of the line in the text; the places of its values count from there. */
  readonly from: number;
  readonly place: Place;
  readonly value: Json;
}

/** What holds other issues up; the other kinds of links only relate. */
const BLOCKS: ReadonlySet<string> = new Set(["blocks", "conditional-blocks", "waits-for"]);
/** Kinds of issues that are no work, and the state of one that was deleted. */
const NO_WORK: ReadonlySet<string> = new Set(["message", "event", "agent", "role"]);
const DELETED = "tombstone";
/** States of what nobody is to work on: put off, or kept open for good. */
const NOT_NOW: ReadonlySet<string> = new Set(["deferred", "pinned"]);
/** Containers around an issue; with more it is taken for a circle. */
const MOST_NESTED = 64;

/** Whether a line of `bd export` is another record than an issue: what `bd remember` keeps, or the head that names the format. */
export function isOtherRecord(value: Json | undefined): boolean {
  const type = textOf(member(value, "_type"));
  if (type !== undefined) return type !== "issue";
  return member(value, "_schema") !== undefined && member(value, "id") === undefined;
}

/** The issues of an `issues.jsonl`, line by line, without other records; what is no issue is told with its place. */
export function beadsOf(text: string, report: Report): readonly Bead[] {
  const beads: Bead[] = [];
  let line = 0;
  for (let from = text.charCodeAt(0) === 0xfeff ? 1 : 0; from < text.length; ) {
    const lf = text.indexOf("\n", from);
    const end = lf < 0 ? text.length : lf;
    const source = text.slice(from, end);
    line++;
    if (source.trim() !== "") {
      const parsed = parseJson(source);
      const id = parsed.ok ? (textOf(member(parsed.value, "id")) ?? "") : "";
      if (!parsed.ok) {
        const place = { line, column: parsed.problem.at + 1, length: 1 };
        report.add("error", "BAD_JSON", place, parsed.problem.message, told`correct the JSON at this place`);
      } else if (isOtherRecord(parsed.value)) {
        // No task.
      } else if (id === "")
        report.add(
          "error",
          "BAD_ISSUE",
          { line, column: 1 },
          told`an issue has no id`,
          told`every line is an issue of beads`,
        );
      else beads.push({ id, from, place: { line, column: 1, length: 1 }, value: parsed.value });
    }
    from = end + 1;
  }
  return beads;
}

/** Reads beads' `issues.jsonl`: its epics are containers, those of more priority stand first. */
export function readBeads(text: string, { report, limits }: ReadContext): readonly Task[] {
  const beads = beadsOf(text, report)
    .filter(
      ({ value }) =>
        statusOf(value) !== DELETED &&
        !NO_WORK.has(textOf(member(value, "issue_type")) ?? "") &&
        !isTemplate(value),
    )
    .toSorted((a, b) => priorityOf(a) - priorityOf(b));
  const known = new Set(beads.map(({ id }) => id));
  const parents = parentsOf(beads, known, report);
  const links = linkIds(
    beads.map(({ id, place, value }) => ({
      id,
      place,
      // What holds an issue is no blocker of it, nor the other way round: it is complete with what it holds.
      depends: knownAlone(id, linkedBy(value, BLOCKS), known, place, report).filter(
        other => !isWithin(other.id, id, parents) && !isWithin(id, other.id, parents),
      ),
    })),
    true,
    limits,
    report,
  );
  const children = Map.groupBy(parents, ([, parent]) => parent);
  const tasks = beads.map(({ id, place, value }, at): Task => {
    const held = (children.get(id) ?? []).map(([child]) => child);
    const status = statusOf(value);
    return {
      id,
      phase: 1,
      title: textOf(member(value, "title")) ?? "",
      kind: "worker",
      done: status === "closed",
      ...leftOut(NOT_NOW.has(status) ? "put off" : "open"),
      ...(held.length === 0 ? {} : { children: held }),
      dependsOn: links[at]!,
      parallelWith: [],
      files: [],
      line: place.line,
      text: description(value),
    };
  });
  return withPutOff(validate(firstOfEach(tasks), undefined, report), report);
}

function isTemplate(value: Json): boolean {
  const said = member(value, "is_template");
  return said?.kind === "literal" && said.value === true;
}

function statusOf(value: Json): string {
  return textOf(member(value, "status"))?.toLowerCase() ?? "open";
}

function priorityOf({ value }: Bead): number {
  const priority = Number(textOf(member(value, "priority")) ?? 2);
  return Number.isFinite(priority) ? priority : 2;
}

function description(value: Json): string {
  const part = (name: string, title: string) => {
    const text = textOf(member(value, name)) ?? "";
    return text.trim() === "" ? [] : [title === "" ? text : `${title}:\n${text}`];
  };
  return [
    ...part("description", ""),
    ...part("design", "Design"),
    ...part("acceptance_criteria", "Acceptance criteria"),
    ...part("notes", "Notes"),
  ].join("\n\n");
}

function linkedBy(value: Json, kinds: ReadonlySet<string>): readonly string[] {
  const ids = itemsOf(member(value, "dependencies")).flatMap(one =>
    kinds.has(textOf(member(one, "type")) ?? "blocks") ? (textOf(member(one, "depends_on_id")) ?? []) : [],
  );
  return [...new Set(ids)];
}

/** What holds each issue, where that is one of the file. One that holds itself, over whatever others, is held by nothing. */
function parentsOf(
  beads: readonly Bead[],
  known: ReadonlySet<string>,
  report: Report,
): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const { id, place, value } of beads) {
    const parent = linkedBy(value, new Set(["parent-child"])).find(other => known.has(other));
    if (parent === undefined || parents.has(id)) continue;
    if (parent !== id && !isWithin(parent, id, parents)) parents.set(id, parent);
    else
      report.add(
        "error",
        "CIRCULAR_DEP",
        place,
        told`${id} is a child of itself, or nested too deep`,
        told`take one of the parents out`,
      );
  }
  return parents;
}

function isWithin(id: string, container: string, parents: ReadonlyMap<string, string>): boolean {
  let at = parents.get(id);
  for (let steps = 0; at !== undefined && at !== container; at = parents.get(at))
    if (++steps > MOST_NESTED) return true;
  return at === container;
}
