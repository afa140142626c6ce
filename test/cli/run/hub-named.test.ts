import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectHome, readJoined } from "../../../src/adapters/home/index.ts";
import { storedHub } from "../../../src/host/approval/approvable.ts";
import { withHub } from "../../../src/host/project/invocation.ts";
import { openRepositoryLab } from "../repository/lab.ts";

const TEXT = "# A\n## Phase 1: p\n### [ ] T1.1: a\n- run: echo one >> out\n";

describe("the hub that a project names", () => {
  /** A hub that lets nobody in, and what it was asked with. */
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.writeHead(401).end(JSON.stringify({ code: "token", message: "no" }));
  });
  let on = "";
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    on = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it("[HO84] is the one a person named last, else the one that the configuration names by now", () => {
    const config = { on: "https://a" };
    expect(withHub(config, {}, { agent: "x" })).toEqual({ agent: "x", on: "https://a", onBy: "config" });
    expect(withHub(config, {}, { on: "none" })).toEqual({ on: "none", onBy: "flag" });
    // What a person named stays, and so does that the run was brought back.
    expect(withHub(config, { on: "https://b", onBy: "flag" }, {})).toEqual({});
    expect(withHub(config, { on: "none", onBy: "flag" }, {})).toEqual({});
    expect(withHub(config, { on: "https://b" }, {})).toEqual({});
    // What the configuration named goes with it.
    expect(withHub(config, { on: "https://b", onBy: "config" }, {})).toMatchObject({ on: "https://a" });
    expect(withHub({}, { on: "https://b", onBy: "config" }, {})).toEqual({ on: "none", onBy: "config" });
    expect(withHub(config, { on: "none", onBy: "config" }, {})).toMatchObject({ on: "https://a" });
    expect(withHub({}, {}, {})).toEqual({});
  });

  it("[HO84] is given nothing before it is approved", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TEXT, "espalier.yaml": `on: ${on}\n` });
    const env = { ESPALIER_HUB_TOKEN: "esp_secret" };
    const unread = await lab.cli(["run"], { env });
    expect([unread.code, unread.stderr]).toEqual([5, expect.stringContaining("APPROVAL_NEEDED")]);
    expect(unread.stderr).toContain(
      `espalier.yaml on:\n    hand the work to machines of the hub ${on}, with the token in ESPALIER_HUB_TOKEN`,
    );
    expect(asked).toEqual([]);
    const refused = await lab.cli(["run", "--yes"], { env });
    expect(refused.stderr).toContain("HUB");
    expect(asked.splice(0)).toContain("Bearer esp_secret");
    // Here it is worked on without it.
    expect((await lab.cli(["run", "--on", "none"], { env })).code).toBe(0);
    expect(asked).toEqual([]);
  });

  it("[HO84] is approved where only the state names it", async () => {
    const [hub] = storedHub({ on }, undefined);
    expect(hub).toMatchObject({
      kind: "setting",
      where: "--on of the run so far",
      text: expect.stringContaining(on),
    });
    expect(storedHub({ on }, "http://127.0.0.1:1")).toHaveLength(1);
    for (const one of [storedHub({ on }, on), storedHub({ on: "none" }, undefined), storedHub({}, undefined)])
      expect(one).toEqual([]);
    // This home knows what a person named, before anything is asked there.
    await using lab = openRepositoryLab({ "TASKS.md": TEXT });
    await lab.cli(["run", "--yes", "--on", on], { env: { ESPALIER_HUB_TOKEN: "esp_secret" } });
    expect(asked.splice(0)).toContain("Bearer esp_secret");
    const home = { HOME: lab.home, XDG_STATE_HOME: lab.env["XDG_STATE_HOME"] };
    expect(readJoined(projectHome(home, lab.path(".espalier")))?.on).toBe(on);
  });

  it("[HO84] is asked for nothing that it noted in the state for a run, before that is approved", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": `${TEXT}### [ ] T1.2: b\n- run: exit 1\n` });
    const env = { ESPALIER_HUB_TOKEN: "esp_secret" };
    await lab.cli(["run", "--yes"], { env });
    const { id } = JSON.parse((await lab.cli(["status", "--json"])).stdout).run;
    writeFileSync(lab.path(".espalier/hub.json"), JSON.stringify({ run: id, epoch: 1, url: on }), {
      mode: 0o600,
    });
    const unread = await lab.cli(["resume"], { env });
    expect([unread.code, unread.stderr]).toEqual([5, expect.stringContaining("APPROVAL_NEEDED")]);
    expect(unread.stderr).toContain(
      `take the run back from the hub ${on}, with the token in ESPALIER_HUB_TOKEN`,
    );
    // That a person has it worked on here approves no address.
    const here = await lab.cli(["resume", "--on", "none"], { env });
    expect(here.stderr).toContain("APPROVAL_NEEDED");
    expect(asked).toEqual([]);
    await lab.cli(["resume", "--yes"], { env });
    expect(asked.splice(0)).toContain("Bearer esp_secret");
    // The one that this home knows of is asked without that.
    await lab.cli(["resume", "--on", `${on}/pool`, "--yes"], { env });
    asked.splice(0);
    writeFileSync(lab.path(".espalier/hub.json"), JSON.stringify({ run: id, epoch: 1, url: on }), {
      mode: 0o600,
    });
    const left = await lab.cli(["resume", "--on", "none"], { env });
    expect(left.stderr + left.stdout).toContain("HUB_NOT_LEFT");
    expect(asked.splice(0)).toContain("Bearer esp_secret");
  });
});
