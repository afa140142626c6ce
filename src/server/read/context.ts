import { z } from "zod";
import { byLabel, type LabelRows, leadFromRows } from "../../context/shared/rows.ts";
import type { DocumentRow, StoredContext } from "../../ports/index.ts";
import { DEFAULT_SYNC_POLICY, standingOf, type Teammate } from "../../sync/index.ts";
import type { ContextShape, DocumentShape, HolderShape, LabelShape, NodeShape } from "../shapes/context.ts";
import { shown } from "../shown.ts";

/** Versions of a label, and rows of each list, that reach the page. */
const VERSIONS = 100;
const ROWS = 2000;

const Source = z.looseObject({
  kind: z.string().default(""),
  path: z.string().optional(),
  task: z.string().optional(),
  attempt: z.number().optional(),
  agent: z.string().optional(),
  by: z.string().optional(),
});

function documentShape({ label, place, withdrawn, source }: DocumentRow): DocumentShape {
  let kind = "";
  let from = "";
  let made: Pick<DocumentShape, "task" | "attempt"> = {};
  try {
    const { path, task, attempt, agent, by, ...rest } = Source.parse(JSON.parse(source));
    kind = rest.kind;
    const maker =
      task === undefined ? by : `${task}#${attempt ?? "?"}${agent === undefined ? "" : ` ${agent}`}`;
    from = path ?? maker ?? "";
    if (task !== undefined && Number.isSafeInteger(attempt)) made = { task, attempt };
  } catch {
    kind = "unknown";
  }
  return { label, place, withdrawn, kind: shown(kind, 40), from: shown(from), ...made };
}

function nodeShapes({ nodes, documents }: StoredContext): NodeShape[] {
  const hung = new Map<string, DocumentRow[]>();
  for (const row of documents) {
    const list = hung.get(row.node);
    if (list === undefined) hung.set(row.node, [row]);
    else list.push(row);
  }
  const rank = (row: DocumentRow) => (row.place === "shared" ? 0 : 1e9) + row.position;
  return nodes.slice(0, ROWS).map(({ id, parent, status, by }) => ({
    id,
    ...(parent === undefined ? {} : { parent }),
    status,
    by: shown(by),
    documents: (hung.get(id) ?? [])
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, ROWS)
      .map(documentShape),
  }));
}

function labelShape({ label, versions }: LabelRows): LabelShape {
  const newest = versions.slice(-VERSIONS).reverse();
  return {
    label: label.label,
    gated: label.gate !== undefined,
    versions: newest.map(({ number, at, by, bytes }) => ({ number, at, by: shown(by), bytes })),
    older: versions.length - newest.length,
  };
}

/** Messages and tokens that went to a teammate, in whatever form. */
export function sentTo({ sizes }: Pick<Teammate, "sizes">): { messages: number; tokens: number } {
  let [messages, tokens] = [0, 0];
  for (const one of Object.values(sizes ?? {})) {
    messages += one.messages;
    tokens += one.tokens;
  }
  return { messages, tokens };
}

function holderShapes(rows: LabelRows): HolderShape[] {
  const lead = leadFromRows(rows, DEFAULT_SYNC_POLICY);
  return [...lead.teammates.values()].map(mate => ({
    label: lead.label,
    teammate: mate.id,
    standing: standingOf(lead, mate),
    role: shown(mate.role),
    ...(mate.confirmed === undefined ? {} : { confirmed: mate.confirmed.version, proof: mate.confirmed.by }),
    ...(mate.proof === "none" ? { proof: "none" as const } : {}),
    ...(mate.flight === undefined
      ? {}
      : { flight: { version: mate.flight.version, form: mate.flight.form, tokens: mate.flight.tokens } }),
    ...sentTo(mate),
  }));
}

/** The tree, the documents and who holds what. */
export function contextShape(stored: StoredContext): ContextShape {
  const labels = [...byLabel(stored).values()];
  return {
    nodes: nodeShapes(stored),
    labels: labels.slice(0, ROWS).map(labelShape),
    holders: labels.flatMap(holderShapes).slice(0, ROWS),
  };
}
