import { describe, expect, it } from "vitest";
import type { PackageReceipt } from "../../../src/assembly/index.ts";
import { CACHE_MS } from "../../../src/budget/index.ts";
import { ok } from "../../../src/ports/index.ts";
import { type Bench, openBench } from "../../engine/bench.ts";

const REST = Array.from({ length: 60 }, (_, at) => `- bed ${at}: gravel and sand, raked by hand\n`).join("");

/** Tasks that read one document, one after the other. */
const readers = (count: number) =>
  `${Array.from({ length: count }, (_, at) => `### [ ] T1.${at + 1}: Rake\n- context: ctx-api\n`).join("\n")}
## Context

- ctx-root: docs/spec.md
  - ctx-api
`;

function parts(bench: Bench, task: string): string[] {
  const rows = bench.engine.library.rows.receipts("run-1", task);
  const receipt = JSON.parse((rows.ok ? rows.value : [])[0]!.receipt) as PackageReceipt;
  return receipt.parts
    .filter(({ kind }) => kind === "document" || kind === "update")
    .map(({ kind, version }) => `${kind} ${version}`);
}

/** What the second reader is given after the document has changed, so many milliseconds after the first. */
async function secondOf(count: number, later: number): Promise<string[]> {
  let spec = `# Spec\n\n- gate: oak\n${REST}`;
  using bench = openBench({
    tasks: readers(count),
    policy: { parallel: 1 },
    world: { documents: { list: pattern => ok([pattern]), read: () => ok(spec) } },
  });
  const end = bench.start();
  const first = await bench.puppets.next("T1.1");
  spec = spec.replace("oak", "iron");
  await bench.clock.advance(later);
  first.say(`ok\nDONE:${first.id}`);
  const second = await bench.puppets.next("T1.2");
  second.say(`ok\nDONE:${second.id}`);
  await bench.event(event => event.type === "completed" && event.task === "T1.2");
  const given = parts(bench, "T1.2");
  await bench.engine.send({ type: "stop", by: "ann", how: "hard" });
  await end;
  return given;
}

describe("changes of documents", () => {
  it("[G27] are appended while few are to read them, and folded in when many are or nobody has read them for long", async () => {
    expect(await secondOf(3, 1000)).toEqual(["document 1", "update 2"]);
    expect(await secondOf(3, CACHE_MS + 1000)).toEqual(["document 2"]);
    expect(await secondOf(300, 1000)).toEqual(["document 2"]);
  });
});
