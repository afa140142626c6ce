import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { casesOf } from "../sample.ts";
import { storeKills } from "../torture/store-kills.ts";

// More of the same: TORTURE_STORE_KILLS=10000 npx vitest run test/adapters/store-kills.test.ts
const kills = Number(process.env["TORTURE_STORE_KILLS"] ?? casesOf(12, 25));
const seed = Number(process.env["TORTURE_SEED"] ?? Date.now() % 1_000_000);

it(`loses nothing that was acknowledged in ${kills} kills (TORTURE_SEED=${seed})`, {
  timeout: 30_000 + kills * 2000,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), "espalier-kills-"));
  try {
    const report = await storeKills({ kills, directory, seed, lanes: 2 });
    expect(report.broken).toEqual([]);
    // The test must have bitten: work was acknowledged, and damage was done.
    expect(report.acknowledged).toBeGreaterThan(kills);
    expect(report.backups).toBeGreaterThan(0);
    expect(report.recoveries).toBeGreaterThan(kills / 2);
    expect(report.recoveriesKilled).toBeGreaterThan(0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
