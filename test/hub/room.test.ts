import { expect, it } from "vitest";
import { openHubFleet } from "../../src/adapters/fleet/hub.ts";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { machinesShape } from "../../src/fleet/index.ts";
import { createHub, LEAST_ROOM, serveHub } from "../../src/hub/index.ts";
import { order } from "../order.ts";
import { QUICK, who } from "./bench.ts";
import { withEngine } from "./with-engine.ts";

withEngine("a hub whose disk is full", engine => {
  it("[HB22] takes no more work and says why, goes on with what there is, and takes it when there is room", async () => {
    let left = LEAST_ROOM.more - 1;
    const hub = createHub(engine(), QUICK);
    const served = await serveHub({ hub, host: "127.0.0.1", port: 0, who, room: () => left });
    const client = openHub(served.url, "run:full:me");
    const told: (string | undefined)[] = [];
    const open = () => openHubFleet({ client, run: "r1", full: failure => told.push(failure?.message) });
    await expect(open()).rejects.toThrow("the hub's disk has 99 MiB left, and 100 are needed");

    left = LEAST_ROOM.more;
    const fleet = await open();
    left = LEAST_ROOM.more - 1;
    const submitted = fleet.submit(order({ id: "a/1", agent: "nobody", token: "a" }));
    await expect.poll(() => told).toEqual(["the hub's disk has 99 MiB left, and 100 are needed"]);
    expect(await fleet.machines()).toEqual([]);
    left = LEAST_ROOM.more;
    expect(await submitted).toMatchObject({ ok: false, failure: { kind: "no-machine" } });
    expect(told).toEqual([expect.any(String), undefined]);

    left = LEAST_ROOM.any - 1;
    const asked = await client.ask("machines", machinesShape, { machines: [], waiting: [] }, machinesShape);
    expect(asked).toMatchObject({ ok: false, failure: { code: "hub-full", retryable: true } });
    client.close();
    hub.close();
    await served.close();
  });
});
