import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createStop } from "../../src/host/run/stop-elsewhere.ts";
import type { EspalierError } from "../../src/ports/index.ts";
import { itWhole } from "../sample.ts";

/** Why a run ends that is stopped, where the hub answers so and machines do not end its agents. */
async function stopped(
  check: () => Promise<boolean>,
  { hubMs, machinesMs } = { hubMs: 20, machinesMs: 200 },
): Promise<EspalierError> {
  const { promise, resolve } = Promise.withResolvers<EspalierError>();
  const patience = { hubMs, machinesMs, lookMs: 1 };
  let isOver = false;
  const stop = createStop({
    hub: { check },
    url: "http://hub",
    isOver: () => isOver,
    end(why) {
      isOver = true;
      resolve(why);
    },
    patience,
  });
  // Asked twice, as by a second Ctrl+C.
  stop();
  stop();
  // Nothing else keeps the process.
  const alive = setInterval(() => {}, 1000);
  try {
    return await promise;
  } finally {
    clearInterval(alive);
  }
}

describe("a run that is stopped while its agents are elsewhere", () => {
  it("[HO57] does not wait for a hub that is away, or never answers", async () => {
    const away = { code: "STOPPED_EARLY", message: "the run was stopped while http://hub was not reached" };
    expect(await stopped(async () => false)).toMatchObject(away);
    expect(await stopped(() => new Promise(() => {}))).toMatchObject(away);
  });

  it("[HO57] waits for machines for longer, and not for ever", async () => {
    expect(await stopped(async () => true)).toMatchObject({
      code: "STOPPED_EARLY",
      message: "the run was stopped, and machines had not ended its agents after 30 seconds",
    });
  });

  itWhole("[HO57] goes on waiting where the hub is away for a moment", async () => {
    let asked = 0;
    const check = async () => {
      await pause(1);
      return ++asked % 3 === 0;
    };
    expect((await stopped(check, { hubMs: 1000, machinesMs: 2500 })).message).toContain(
      "machines had not ended",
    );
  });
});
