import { describe, expect, it } from "vitest";
import { PAGE, phase } from "../../context/shared/lab.ts";
import { openStage } from "../../puppet/stage.ts";
import { itWhole } from "../../sample.ts";
import { ACP_AGENT, there } from "../agents/acp-agent.ts";
import { openLab } from "../lab.ts";
import { ackOf, context } from "./ask.ts";

/** Its first sign of work. */
const SHOWS =
  'send({ method: "session/update", params: { sessionId, update: { sessionUpdate: "tool_call", toolCallId: "t", title: "Read", kind: "read" } } });';

describe("the shared context while a run holds the lock", { timeout: 120_000 }, () => {
  it("is published, brought to teammates and answered through the running process, large documents too", async () => {
    await using stage = await openStage();
    const tasks = `# P\n## Phase 1: p\n### [ ] T1.1: a\n- run: ${stage.script}\n`;
    await using lab = openLab({ "TASKS.md": tasks, "a.md": PAGE });
    await context(lab, ["publish", "GC", "a.md"]);
    const run = lab.start(["run", "--yes"]);
    const call = await stage.nextCall("T1.1");
    const sent = await context(lab, ["update", "GC", "--to", "back"]);
    expect([sent.code, sent.stdout]).toEqual([0, expect.stringContaining("## Full")]);
    expect((await context(lab, ["ack"], { stdin: ackOf(1, "0/0") })).stdout).toContain("confirmed");
    lab.write("a.md", phase(1));
    expect((await context(lab, ["publish"])).stdout).toContain("concerns back");
    // What was changed by the one that runs is read past it.
    const [row] = JSON.parse((await context(lab, ["teammates", "--json"])).stdout);
    expect(row).toMatchObject({ teammate: "back", standing: "behind", holds: 1, current: 2 });
    lab.write("large.md", `# Large\n\n${'"a line with quotes"\n'.repeat(200_000)}`);
    expect((await context(lab, ["publish", "BIG", "large.md"])).stdout).toContain("BIG-v1");
    expect(
      (await context(lab, ["update", "GC", "--to", "nobody", "--session", "x".repeat(300)])).code,
    ).not.toBe(0);
    expect((await context(lab, ["update", "NONE", "--to", "back"])).stderr).toContain("NO_SUCH_LABEL");
    await call.exit(0);
    expect((await run.ended).code).toBe(0);
    // The run is over; a person's teammate is not.
    const [after] = JSON.parse((await context(lab, ["teammates", "--json"])).stdout);
    expect(after).toMatchObject({ teammate: "back", standing: "behind" });
    expect((await context(lab, ["update", "GC", "--to", "back"])).stdout).toContain("STEP 1");
  });

  it("sends nobody to bring an update to an agent that its run tells of it", async () => {
    await using lab = openLab({
      "TASKS.md": "# P\n## Phase 1: p\n### [ ] T1.1: a\n",
      "a.md": PAGE,
      "acp.mjs": ACP_AGENT.replace('writeFileSync("begun", "");', `${SHOWS} writeFileSync("begun", "");`),
      "espalier.yaml": `agent: puppet\nagents:\n  puppet: { acp: "${process.execPath} acp.mjs" }\n`,
    });
    await context(lab, ["publish", "GC", "a.md"]);
    const run = lab.start(["run", "--yes"]);
    await there(lab.path("begun"));
    await context(lab, ["update", "GC", "--to", "back"]);
    await context(lab, ["ack", "back"], { stdin: ackOf(1, "0/0") });
    const explained = async () => (await context(lab, [])).stdout;
    while (!/T1\.1 {2}holds v1/.test(await explained()));
    lab.write("a.md", phase(1));
    const { stdout } = await context(lab, ["publish"]);
    expect(stdout).toContain("end of their turn: T1.1\nbring it: espalier context update GC --to back\n");
    expect(await explained()).toMatch(/ T1\.1 .*; v2 waits: it is told with its next tool call/);
    expect(await explained()).not.toContain("--to T1.1");
    lab.write("go", "");
    expect((await run.ended).code).toBe(0);
  });

  it("survives a kill of the running process: what was answered is there", async () => {
    await using stage = await openStage();
    const tasks = `# P\n## Phase 1: p\n### [ ] T1.1: a\n- run: ${stage.script}\n`;
    await using lab = openLab({ "TASKS.md": tasks, "a.md": PAGE });
    const run = lab.start(["run", "--yes"]);
    await stage.nextCall("T1.1");
    await context(lab, ["publish", "GC", "a.md"]);
    await context(lab, ["update", "GC", "--to", "back"]);
    await context(lab, ["ack"], { stdin: ackOf(1, "0/0") });
    run.signal("SIGKILL");
    await run.ended;
    const [row] = JSON.parse((await context(lab, ["teammates", "--json"])).stdout);
    expect(row).toMatchObject({ teammate: "back", standing: "current", holds: 1 });
    lab.write("a.md", phase(1));
    expect((await context(lab, ["publish"])).stdout).toContain("GC-v2");
  });

  itWhole("is waited for by commands that come at once, one after the other", async () => {
    await using lab = openLab({ "a.md": PAGE });
    await context(lab, ["publish", "GC", "a.md"]);
    const names = ["a", "b", "c", "d"];
    const calls = names.map(name => lab.cli(["context", "update", "GC", "--to", name]));
    for (const done of await Promise.all(calls)) expect(done).toMatchObject({ code: 0 });
    const rows = JSON.parse((await context(lab, ["teammates", "--json"])).stdout);
    expect(rows.map(({ teammate }: { teammate: string }) => teammate).sort()).toEqual(names);
  });
});
