import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTierFiles } from "../../src/adapters/cache/index.ts";
import { TIER_POLICIES, TIER_VERSION, type TierEntry } from "../../src/budget/index.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const DAY = 86_400_000;
const NOW = 20_000 * DAY;

function entry(key: string, extra: Partial<TierEntry> = {}): TierEntry {
  const text = extra.text ?? `decision of ${key}`;
  return {
    version: TIER_VERSION,
    tier: "project",
    key,
    source: sha256("whole"),
    hash: sha256(text),
    level: 1,
    at: NOW,
    text,
    ...extra,
  };
}

describe("cache tiers on disk", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "espalier-tiers-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const open = (policies = TIER_POLICIES) => openTierFiles(join(folder, "cache"), policies);

  it("gives back what was put, also to another process", () => {
    expect(open().put(entry("02 T1"), NOW).ok).toBe(true);
    expect(open().get("project", "02 T1", NOW)?.text).toBe("decision of 02 T1");
    expect(open().get("project", "02 T1", NOW, sha256("whole"))).toBeDefined();
    expect(open().get("persistent", "02 T1", NOW)).toBeUndefined();
    expect(open().get("project", "02 T2", NOW)).toBeUndefined();
  });

  it("gives nothing that is stale, over, or of another version", () => {
    const tiers = open();
    tiers.put(entry("a"), NOW);
    expect(tiers.get("project", "a", NOW, sha256("the whole has changed"))).toBeUndefined();
    expect(tiers.get("project", "a", NOW + 8 * DAY)).toBeUndefined();
    tiers.put(entry("b", { version: 99 }), NOW);
    expect(tiers.get("project", "b", NOW)).toBeUndefined();
  });

  it("never makes a path of a key", () => {
    const tiers = open();
    for (const key of ["../../etc/passwd", "a/b", "..", "\u0000", "가".repeat(200), "CON"]) {
      expect(tiers.put(entry(key), NOW).ok).toBe(true);
      expect(tiers.get("project", key, NOW)?.key).toBe(key);
    }
    expect(readdirSync(folder)).toEqual(["cache"]);
    expect(
      readdirSync(join(folder, "cache", "project")).every(name => /^[0-9a-f]{32}\.json$/.test(name)),
    ).toBe(true);
  });

  it("passes over files that are none of its own, and damaged ones", () => {
    const tiers = open();
    tiers.put(entry("a"), NOW);
    const place = join(folder, "cache", "project");
    writeFileSync(join(place, "notes.txt"), "mine");
    writeFileSync(join(place, `${"0".repeat(32)}.json`), "{ broken");
    writeFileSync(
      join(place, `${"1".repeat(32)}.json`),
      JSON.stringify({ ...entry("x"), hash: sha256("other") }),
    );
    mkdirSync(join(place, `${"2".repeat(32)}.json`));
    symlinkSync("/etc/passwd", join(place, `${"3".repeat(32)}.json`));
    expect(tiers.list("project", NOW).map(({ entry: { key }, state }) => [key, state])).toEqual(
      expect.arrayContaining([
        ["a", "valid"],
        ["x", "damaged"],
      ]),
    );
    expect(tiers.list("project", NOW)).toHaveLength(2);
    rmSync(join(place, `${"2".repeat(32)}.json`), { recursive: true });
    expect(tiers.clear("project")).toBe(4);
    expect(readdirSync(place)).toEqual(["notes.txt"]);
  });

  it("stays within its size: the oldest go", () => {
    const small = { ...TIER_POLICIES, project: { ...TIER_POLICIES.project, maxBytes: 2000 } };
    for (let at = 0; at < 20; at++)
      open(small).put(entry(`k${at}`, { text: "x".repeat(100), at: NOW + at }), NOW);
    const kept = open(small).list("project", NOW);
    expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(2000);
    expect(kept[0]?.entry.key).toBe("k19");
    expect(kept.length).toBeGreaterThan(2);
  });

  it("refuses what is too large, and a folder that is none", () => {
    expect(open().put(entry("huge", { text: "x".repeat(5_000_000) }), NOW).ok).toBe(false);
    writeFileSync(join(folder, "file"), "");
    expect(openTierFiles(join(folder, "file"), TIER_POLICIES).put(entry("a"), NOW).ok).toBe(false);
  });

  it("an empty or missing cache is no error", () => {
    expect(open().list("persistent", NOW)).toEqual([]);
    expect(open().clear()).toBe(0);
  });
});
