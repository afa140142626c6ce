import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { casesOf, itWhole } from "../../sample.ts";
import { contextKills } from "../../torture/context-kills.ts";

itWhole(
  "loses, doubles and misnumbers nothing when the lead is killed between commit and send",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "espalier-context-"));
    try {
      const { broken, published, messages } = await contextKills({
        kills: casesOf(3, 6),
        directory,
        seed: 7,
      });
      expect(broken).toEqual([]);
      expect(published).toBeGreaterThan(3);
      expect(messages).toBeGreaterThan(3);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
  60_000,
);
