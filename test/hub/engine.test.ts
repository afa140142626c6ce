import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type EngineParts, startEngine } from "../../src/hub/index.ts";
import { noEngine, parts } from "./bench.ts";

const why = noEngine === undefined ? "" : ` (${noEngine})`;

/** The same engine with a hub whose pools never get to the end of draining a machine. */
function hanging({ sdk, server }: EngineParts, amid: () => void): EngineParts {
  const object = (definition: { readonly name: string; readonly handlers: object }) => {
    const drain = async (ctx: { get(name: string): Promise<unknown> }) => {
      await ctx.get("pool");
      amid();
      return new Promise(() => {});
    };
    const handlers =
      definition.name === "EspalierPool" ? { ...definition.handlers, drain } : definition.handlers;
    return sdk.object({ ...definition, handlers });
  };
  return { server, sdk: { ...sdk, createEndpointHandler: sdk.createEndpointHandler, object } };
}

describe.skipIf(noEngine !== undefined)(`the engine${why}`, () => {
  it("[HB24] is told of with the reason when it ends, and started again until it stays", async () => {
    const folder = mkdtempSync(join(tmpdir(), "esp-ended-"));
    const ends: string[] = [];
    const { sdk, server } = parts as EngineParts;
    const broken = join(folder, "server");
    writeFileSync(
      broken,
      `#!/bin/sh\ntest -e ${folder}/mended && exec ${server} "$@"\necho no room >&2\nexit 3\n`,
    );
    chmodSync(broken, 0o755);
    const starting = startEngine({ sdk, server: broken }, folder, said => void ends.push(said));
    await expect.poll(() => ends.length).toBeGreaterThan(1);
    writeFileSync(join(folder, "mended"), "");
    const engine = await starting;
    expect(new Set(ends)).toEqual(new Set(["no room"]));
    process.kill(Number(readFileSync(join(folder, "server.pid"), "utf8")), "SIGKILL");
    await expect.poll(() => ends.at(-1)).toBe("SIGKILL");
    await engine.call("EspalierPool", "p", "hello", { machine: "m1", boot: "b1" });
    await engine.close();
    expect(ends.at(-1)).toBe("SIGKILL");
    rmSync(folder, { recursive: true });
  });

  it("[HB21] carries on what a hub was killed in the middle of, and what waits for it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "esp-amid-"));
    const amid = Promise.withResolvers<void>();
    const first = await startEngine(hanging(parts as EngineParts, amid.resolve), folder);
    await first.call("EspalierPool", "p", "hello", { machine: "m1", boot: "b1" });
    const draining = first.call("EspalierPool", "p", "drain", { machine: "m1", on: true });
    const cut = draining.catch((error: Error) => error.message);
    await amid.promise;
    await first.close();
    expect(await cut).toContain("closed");
    const second = await startEngine(parts as EngineParts, folder);
    await second.call("EspalierPool", "p", "hello", { machine: "m2", boot: "b2" });
    const { machines } = await second.call<{ machines: object }>("EspalierPool", "p", "read");
    expect(machines).toMatchObject({ m1: { draining: true }, m2: { draining: false } });
    await second.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
