import { describe, expect, it } from "vitest";
import { openBench } from "./bench.ts";
import { ONE } from "./engine-fixtures.ts";

describe("what an agent does unasked", () => {
  it("[AC26] is a warning of the run, and no question that nobody answered", {
    timeout: 20_000,
  }, async () => {
    using bench = openBench({ tasks: ONE });
    const over = bench.start();
    const first = await bench.puppets.next();
    first.tell({ type: "permission", kind: "execute", title: "rm -r x", answer: "allowed", by: "nobody" });
    first.say(`FAIL:${first.id}:could not`);
    const again = await bench.puppets.next();
    again.say(`DONE:${again.id}`);
    expect(await over).toMatchObject({ outcome: "completed" });
    expect(bench.events.filter(({ type }) => type === "permission" || type === "paused")).toEqual([]);
    const warnings = bench.events.filter(event => event.type === "warning" && event.code === "NOT_ASKED");
    expect(warnings).toEqual([
      {
        type: "warning",
        code: "NOT_ASKED",
        task: "T1.1",
        message: { code: "does-not-ask", args: { agent: "puppet", kind: "execute", said: "rm -r x" } },
      },
    ]);
  });
});
