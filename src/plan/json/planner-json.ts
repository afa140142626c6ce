import { told } from "../../text/index.ts";
import { leftOut } from "../graph/put-off.ts";
import type { Field } from "../markdown/document.ts";
import { readValues } from "../markdown/values.ts";
import type { ReadContext } from "../read-context.ts";
import type { Place } from "../report.ts";
import { createLocator, itemsOf, type Json, member, textOf } from "../syntax/json-text.ts";
import { stateOf } from "../syntax/marks.ts";
import type { ContextNodeDeclaration, Plan, Task } from "../types.ts";
import { firstOfEach, linkIds } from "./link-ids.ts";
import { tellUnread, titleOf } from "./unread.ts";
import { DEPENDS, NONE, waitsOf } from "./waits.ts";

/** The keys of a task. */
const KEYS = [
  "id",
  "subject",
  "title",
  "description",
  "status",
  "task_type",
  "target_node",
  "context_ref",
  ...DEPENDS,
  "verify",
  "role",
  "files",
];

/** Whether a JSON value is planner output: a task list whose tasks have subjects, or a tree of context nodes. */
export function isPlannerJson(root: Json): boolean {
  if (member(root, "context_nodes")?.kind === "array") return true;
  const tasks = root.kind === "array" ? root.items : itemsOf(member(root, "tasks"));
  return tasks.some(task => member(task, "subject") !== undefined || member(task, "task_type") !== undefined);
}

/** `{"type":"context_fill","target_node":…}` or `"context_fill"` beside a `target_node`. */
function typeOf(task: Json): { fills: string | undefined; isFill: boolean } {
  const type = member(task, "task_type");
  const name = textOf(type) ?? textOf(member(type, "type")) ?? "worker";
  const isFill = name.toLowerCase().replaceAll("_", "-") === "context-fill" || name === "ContextFill";
  const fills = textOf(member(type, "target_node")) ?? textOf(member(task, "target_node"));
  return { fills: isFill ? fills : undefined, isFill };
}

/** The paths under a key of a node, by our name or the documents'. */
function pathsOf(node: Json, key: "shared" | "documents", other: string): Partial<ContextNodeDeclaration> {
  const items = itemsOf(member(node, key) ?? member(node, other));
  const paths = items.flatMap(item => textOf(item) ?? []);
  return paths.length === 0 ? {} : { [key]: paths };
}

/** What a planner says of a task besides the keys of its own format, as the fields that they are in a task file. */
function fieldsOf(task: Json, { line, column }: Place): Field[] {
  const field = (key: Field["key"], text: string, more: Partial<Field> = {}): Field[] => [
    { key, text, line, column, plain: true, depth: 0, below: [], ...more },
  ];
  const verify = textOf(member(task, "verify"))?.trim() ?? "";
  const role = textOf(member(task, "role")) ?? "";
  const files = member(task, "files");
  const paths = [textOf(files), ...itemsOf(files).map(textOf)].flatMap(path => path?.trim() || []);
  const below = paths.map(path => ({ text: path.includes("`") ? path : `\`${path}\``, line, column }));
  return [
    ...(NONE.has(verify.toLowerCase()) ? [] : field("verify", "", { code: verify })),
    ...(role === "" ? [] : field("role", role)),
    ...(below.length === 0 ? [] : field("files", "", { below })),
  ];
}

/** Reads a planner's `{context_nodes, tasks}`, or a bare list of its tasks. */
export function readPlannerJson(text: string, root: Json, context: ReadContext): Plan {
  const { report, limits } = context;
  const locate = createLocator(text);
  const placeOf = (value: Json): Place => ({ ...locate(value.at), length: 1 });
  const listed = root.kind === "array" ? root.items : itemsOf(member(root, "tasks"));
  tellUnread(listed, KEYS, placeOf, report);
  const values = listed.filter(value => (textOf(member(value, "id")) ?? "") !== "");
  const nodes = itemsOf(member(root, "context_nodes")).flatMap((value): ContextNodeDeclaration[] => {
    const id = textOf(member(value, "id")) ?? textOf(member(value, "node_id"));
    const parent = textOf(member(value, "parent"));
    if (id === undefined) return [];
    return [
      {
        id,
        ...(parent === undefined ? {} : { parent }),
        ...pathsOf(value, "shared", "shared_documents"),
        ...pathsOf(value, "documents", "delta_docs"),
        line: placeOf(value).line,
      },
    ];
  });
  const ids = new Set(values.map(value => textOf(member(value, "id"))));
  const linkables = values.map(value => ({
    id: textOf(member(value, "id"))!,
    place: placeOf(value),
    depends: waitsOf(value, id => ids.has(id)).map(({ written, item }) => ({
      id: written,
      place: placeOf(item),
    })),
  }));
  const dependsOn = linkIds(linkables, context.allowMissing, limits, report);

  const tasks = values.map((value, index): Task => {
    const { id, place } = linkables[index]!;
    const { fills, isFill } = typeOf(value);
    const contextRef = textOf(member(value, "context_ref"));
    const subject = titleOf(value);
    const state = stateOf(textOf(member(value, "status")) ?? "");
    const description = textOf(member(value, "description")) ?? "";
    if (isFill && fills === undefined)
      report.add(
        "error",
        "NO_TARGET",
        place,
        told`${id} is a context-fill task without target_node`,
        told`name the node it fills`,
      );
    return {
      ...readValues(fieldsOf(value, place), report),
      id,
      phase: 1,
      title: subject,
      kind: isFill ? "context-fill" : "worker",
      done: state === "done",
      dependsOn: dependsOn[index]!,
      parallelWith: [],
      ...leftOut(state ?? "open"),
      ...(contextRef === undefined ? {} : { contextRef }),
      ...(fills === undefined ? {} : { fills }),
      line: place.line,
      text: description === "" ? subject : `${subject}\n\n${description}`,
    };
  });
  return {
    format: "planner-json",
    project: textOf(member(root, "project")) ?? "plan",
    phases: tasks.length === 0 ? [] : [{ phase: 1, title: "" }],
    tasks: firstOfEach(tasks),
    contextNodes: nodes,
  };
}
