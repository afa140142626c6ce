import fc from "fast-check";
import { type Folder, type History, studyHistory } from "../../src/checkpoint/history.ts";
import { listedLink, listedState, type Texts, writeDelta } from "../../src/checkpoint/index.ts";
import { DOCUMENT } from "../delta/documents.ts";

export const CREATED = "2026-03-01T09:00:00Z";

/** A checkpoint as a person would write it. */
export const CHECKPOINT = `---
checkpoint: chk-002
created: 2026-03-01T09:00:00Z
anchor: session 7
parent: chk-001
status: active
last_delta: delta-001-002
---

# Bakery

## Problem

Sell bread online.

## Session Intent

Finish the order form.

## Essential Information

### Decisions

- D-1: Prices are integers in cents
- D-2: Mails go out through a queue

### Technical Context

- Store: SQLite
- Branch: main

### Breadcrumbs

| Type | Reference | Hint |
|---|---|---|
| log | run.log | what happened |

### Play-By-Play

- Phase 1 → Menu → done
- Phase 1 → Prices → done

### Artifact Trail

| File | Status | Key Change |
|---|---|---|
| \`src/menu.ts\` | created | the menu |
| \`src/price.ts\` | created | a \\| b |

### Current State

The menu stands.

| Task | Status | Note |
|---|---|---|
| T1.1 Menu | completed |  |
| T1.2 Prices | in_progress |  |
| T2.1 Orders | pending |  |

### Next Actions

1. Finish T1.2

## User Rules

- Never touch the till

## Glossary of ours

Whatever | stands here.
`;

/** The next state of it. */
export const LATER: string = CHECKPOINT.replace("chk-002", "chk-003")
  .replace("parent: chk-001", "parent: chk-002")
  .replace("delta-001-002", "delta-002-003")
  .replace("| T1.2 Prices | in_progress |", "| T1.2 Prices | completed |")
  .replace("The menu stands.", "The menu and the prices stand.")
  .replace(
    "- D-2: Mails go out through a queue\n",
    "- D-2: Mails go out through a queue\n- D-3: One table for orders\n",
  )
  .replace(
    "| `src/price.ts` | created | a \\| b |",
    "| `src/price.ts` | modified | a \\| b |\n| `src/order.ts` | created | the form |",
  )
  .replace("1. Finish T1.2", "1. Begin T2.1");

/** Any text, shaped like a checkpoint now and then. */
export const ANY_TEXT: fc.Arbitrary<string> = fc.oneof(
  DOCUMENT,
  fc
    .tuple(DOCUMENT, fc.nat(CHECKPOINT.length))
    .map(([text, at]) => CHECKPOINT.slice(0, at) + text + CHECKPOINT.slice(at)),
);

/** The value of a success; anything else fails the test. */
export function must<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: unknown },
): T {
  if (result.ok) return result.value;
  throw new Error(`unexpected failure: ${JSON.stringify(result.failure)}`);
}

/** A delta document between two texts. */
export function deltaOf(
  from: string,
  to: string,
  ids: readonly [string, string] = ["chk-001", "chk-002"],
): string {
  return must(writeDelta({ id: ids[0], text: from }, { id: ids[1], text: to }, { created: CREATED })).text;
}

/** What follows in both of two texts, so that all that changed in front of it is told. */
export const REST: string = `\n\n## Rest\n\n${"- what stays as it is stands here\n".repeat(800)}`;

/** A delta document between two texts that are large enough for all of the change to be told. */
export function toldOf(from: string, to: string): string {
  return deltaOf(from + REST, to + REST);
}

/** Documents in a folder that is none, as a history. */
export function historyOf(files: Readonly<Record<string, string>>): {
  history: History;
  texts: Texts;
  folder: Folder;
} {
  const all = Object.entries(files).map(([file, text]) => ({ file, text }));
  const isDelta = (file: string) => file.slice(file.lastIndexOf("/") + 1).startsWith("delta-");
  const folder: Folder = {
    states: all.filter(({ file }) => !isDelta(file)).map(listedState),
    links: all.filter(({ file }) => isDelta(file)).flatMap(one => listedLink(one) ?? []),
    unreadable: [],
  };
  const history = studyHistory(folder);
  return {
    history,
    folder,
    texts: {
      state: id => files[history.states.get(id)?.file ?? ""],
      delta: (from, to) => files[folder.links.find(link => link.from === from && link.to === to)?.file ?? ""],
    },
  };
}

/** A small checkpoint with an id, a parent and a body. */
export function small(id: string, parent: string | undefined, body = id, extra = ""): string {
  const up =
    parent === undefined ? "" : `parent: ${parent}\nlast_delta: delta-${parent.slice(4)}-${id.slice(4)}\n`;
  return `---\ncheckpoint: ${id}\ncreated: ${CREATED}\n${up}status: active\n${extra}---\n\n## Problem\n\nBread.\n\n## Essential Information\n\n### Decisions\n\n- D-1: ${body}\n\n### Current State\n\n${body}\n\n### Next Actions\n\n1. Go on\n`;
}

/** A chain of small checkpoints with the deltas between them. */
export function chain(count: number): Record<string, string> {
  const files: Record<string, string> = {};
  let before: string | undefined;
  for (let at = 1; at <= count; at++) {
    const id = `chk-${String(at).padStart(3, "0")}`;
    const parent = at === 1 ? undefined : `chk-${String(at - 1).padStart(3, "0")}`;
    const text = small(id, parent, `step ${at}`);
    files[`${id}.md`] = text;
    if (parent !== undefined && before !== undefined)
      files[`delta-${parent.slice(4)}-${id.slice(4)}.md`] = deltaOf(before, text, [parent, id]);
    before = text;
  }
  return files;
}
