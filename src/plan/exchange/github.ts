import { told } from "../../text/index.ts";
import { validate } from "../graph/validate.ts";
import { firstOfEach, linkIds } from "../json/link-ids.ts";
import type { ReadContext } from "../read-context.ts";
import type { Place } from "../report.ts";
import { createLocator, itemsOf, type Json, member, textOf } from "../syntax/json-text.ts";
import type { Task } from "../types.ts";
import { knownAlone } from "./known.ts";

/** Reasons for which GitHub closes an issue that nobody has worked on. */
const NOT_DONE: ReadonlySet<string> = new Set(["not_planned", "duplicate"]);

/** Words by which a line of a body says what an issue waits for; nothing but numbers of issues may stand behind them. */
const WAITS = ["depends on", "blocked by", "requires", "after", "의존:", "선행:"];
/** Lines of a body that are looked at for them. */
const MOST_LINES = 2000;

/** One issue, with what it says of itself. */
interface Issue {
  readonly id: string;
  readonly place: Place;
  readonly value: Json;
}

/** Reads what `gh issue list --json …` prints: a list of issues, or one. Pull requests are none. */
export function readGitHub(text: string, root: Json, context: ReadContext): readonly Task[] {
  const { report, limits } = context;
  const locate = createLocator(text);
  const issues = (root.kind === "array" ? root.items : [root])
    .filter(value => member(value, "pull_request") === undefined)
    .flatMap((value): Issue[] => {
      const number = textOf(member(value, "number")) ?? "";
      const place = { ...locate((member(value, "number") ?? value).at), length: 1 };
      if (/^[1-9]\d{0,8}$/.test(number)) return [{ id: number, place, value }];
      report.add(
        "error",
        "BAD_ISSUE",
        place,
        told`an issue has no number`,
        told`print it with --json number,title,body,state`,
      );
      return [];
    })
    .sort((a, b) => Number(a.id) - Number(b.id));
  const known = new Set(issues.map(({ id }) => id));
  const links = linkIds(
    issues.map(({ id, place, value }) => ({
      id,
      place,
      depends: knownAlone(id, waitsFor(value), known, place, report),
    })),
    true,
    limits,
    report,
  );
  const tasks = issues.map(({ id, place, value }, at) => taskOf(id, place, value, links[at]!));
  return validate(firstOfEach(tasks), undefined, report);
}

function taskOf(id: string, place: Place, value: Json, dependsOn: readonly string[]): Task {
  const isClosed = textOf(member(value, "state"))?.toLowerCase() === "closed";
  const reason = textOf(member(value, "stateReason")) ?? textOf(member(value, "state_reason")) ?? "";
  const isLeftOut = isClosed && NOT_DONE.has(reason.toLowerCase());
  const labels = itemsOf(member(value, "labels")).flatMap(
    label => textOf(label) ?? textOf(member(label, "name")) ?? [],
  );
  const head = [
    textOf(member(value, "url")) ?? `#${id}`,
    ...(labels.length === 0 ? [] : [`labels: ${labels.join(", ")}`]),
  ].join("\n");
  return {
    id,
    phase: 1,
    title: textOf(member(value, "title")) ?? "",
    kind: "worker",
    done: isClosed && !isLeftOut,
    ...(isLeftOut ? { skip: true } : {}),
    dependsOn,
    parallelWith: [],
    files: [],
    line: place.line,
    text: `${head}\n\n${textOf(member(value, "body")) ?? ""}`,
  };
}

/** The issues that this one is blocked by, as GitHub links them and as its body says. */
function waitsFor(value: Json): readonly string[] {
  const blockedBy = member(value, "blockedBy");
  const linked = [...itemsOf(blockedBy), ...itemsOf(member(blockedBy, "nodes"))].flatMap(
    one => textOf(member(one, "number")) ?? [],
  );
  const said = (textOf(member(value, "body")) ?? "").split("\n", MOST_LINES).flatMap(numbersIn);
  return [...new Set([...linked, ...said])];
}

function numbersIn(line: string): string[] {
  if (line.length > 500 || !line.includes("#")) return [];
  const words = line.replace(/^[\s>*_-]+/, "").toLowerCase();
  const phrase = WAITS.find(one => words.startsWith(one));
  const rest = phrase === undefined ? "" : words.slice(phrase.length).replaceAll("and", ",");
  return /^[\s:*_,#\d.]*$/.test(rest) ? [...rest.matchAll(/#(\d{1,9})/g)].map(found => found[1]!) : [];
}
