import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { machinesLook } from "../../src/host/monitor/machines.ts";
import { storedPlanJson } from "../../src/host/project/stored-plan.ts";
import { fail, HERE, ok } from "../../src/ports/index.ts";
import { machinesShape } from "../../src/server/read/machines.ts";
import { MachinesShape } from "../../src/server/shapes/machines.ts";
import { knownMachine } from "./known-machine.ts";
import { openStage, planOf } from "./stage.ts";

const TASKS = "# Shop\n## Phase 1: B\n### [ ] T1.1: Walls\n";

describe("the machines of a run", () => {
  it("[W156] are told with what each does, offers and has lost of this run", async () => {
    const agents = [{ name: "claude", reports: "signal" }] as never;
    const machines = [
      knownMachine("build-1", {
        agents,
        labels: ["build-1", "gpu\u001b[2J"],
        resources: { db: { offers: 2, taken: 1 } },
        holds: ["o1", "o2"],
        silent: 1400,
      }),
      knownMachine("build-2", { silent: 16_000 }),
      knownMachine("build-3", { draining: true, silent: 16_000, full: true }),
      knownMachine("build-4", { full: true }),
    ];
    const found = ok({ hub: "https://hub.example", machines, waiting: 3 });
    const open = [
      { task: "T1.1", machine: "build-1" },
      { task: "T1.2", machine: HERE },
    ];
    const spans = [
      { machine: "build-2", outcome: "crashed" },
      { machine: "build-2", outcome: "crashed" },
      { machine: "build-2", outcome: "failed" },
      { machine: HERE, outcome: "crashed" },
    ] as const;
    const shape = MachinesShape.parse(machinesShape(found, open, spans));
    expect(shape).toMatchObject({ hub: "https://hub.example", waiting: 3 });
    expect(shape.machines).toEqual([
      {
        name: "build-1",
        state: "there",
        heard: 1,
        slots: 2,
        busy: 2,
        tasks: ["T1.1"],
        agents: ["claude"],
        labels: [expect.not.stringContaining("\u001b")],
        offers: [{ name: "db", taken: 1, of: 2 }],
        lost: 0,
      },
      expect.objectContaining({ name: "build-2", state: "silent", heard: 16, busy: 0, labels: [], lost: 2 }),
      expect.objectContaining({ name: "build-3", state: "draining", lost: 0 }),
      expect.objectContaining({ name: "build-4", state: "full" }),
    ]);
    expect(machinesShape(fail("not there"), open, spans)).toEqual({
      hub: "",
      problem: "not there",
      machines: [],
      waiting: 0,
    });
    // What only the state names is told nothing: anybody may write there.
    const plan = planOf(TASKS);
    const run = { plan: storedPlanJson(plan, { on: "http://127.0.0.1:1" }) };
    await using named = await openStage({ tasks: TASKS, run });
    expect(MachinesShape.parse(await (await named.get("/api/machines")).json())).toMatchObject({
      problem: expect.stringContaining("nothing here tells that this run was handed to a hub"),
    });
    // A run that is worked on here has none, and nobody is asked.
    await using here = await openStage({ tasks: TASKS });
    const answer = await here.get("/api/machines");
    expect(MachinesShape.parse(await answer.json())).toEqual({ machines: [], waiting: 0 });
  });

  describe("asked of their hub", () => {
    const opened: { close(): unknown }[] = [];
    afterEach(() => {
      for (const server of opened.splice(0)) server.close();
    });

    it("[W157] are asked for once by all pages of a while, with the token of the environment", async () => {
      const asked: (readonly [string | undefined, string | undefined])[] = [];
      const server = createServer((request, response) => {
        asked.push([request.url, request.headers.authorization]);
        response.end(JSON.stringify({ machines: [knownMachine("build-1")], waiting: [] }));
      }).listen(0, "127.0.0.1");
      opened.push(server);
      await once(server, "listening");
      const on = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pool`;
      let now = 0;
      const look = machinesLook({ locale: "en" }, { ESPALIER_HUB_TOKEN: "secret" }, () => now);
      const [one, two] = await Promise.all([look(on), look(on)]);
      expect(one).toBe(two);
      expect(one).toMatchObject({ ok: true, value: { machines: [{ name: "build-1" }], waiting: 0 } });
      expect(asked).toEqual([["/v1/machines", "Bearer secret"]]);
      now = 2001;
      await look(on);
      expect(asked.length).toBe(2);
    });

    it("[W157] are missing with a sentence where the hub is not there, or no token is", async () => {
      const nobody = createServer().listen(0, "127.0.0.1");
      await once(nobody, "listening");
      const { port } = nobody.address() as AddressInfo;
      nobody.close();
      const on = `http://127.0.0.1:${port}`;
      const silent = await machinesLook({ locale: "en" }, { ESPALIER_HUB_TOKEN: "secret" })(on);
      expect(silent).toMatchObject({ ok: false, failure: expect.stringContaining(`127.0.0.1:${port}`) });
      expect(JSON.stringify(silent)).not.toContain("secret");
      expect(await machinesLook({ locale: "en" }, {})(on)).toMatchObject({
        ok: false,
        failure: expect.stringContaining("ESPALIER_HUB_TOKEN"),
      });
    });
  });
});
