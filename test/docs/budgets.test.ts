import { describe, expect, it } from "vitest";
import { budgetSchema, settleBudget, TIER_POLICIES, TIERS } from "../../src/budget/index.ts";
import { readConfig } from "../../src/config/index.ts";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/budgets.md");

describe("docs/budgets.md", () => {
  it("shows the defaults as they are", () => {
    const [yaml] = blocksOf(page).filter(({ lang }) => lang === "yaml");
    const read = readConfig(yaml!.text);
    expect(read).toMatchObject({ ok: true });
    const shown = settleBudget(read.ok ? read.value.budget : budgetSchema().parse({}));
    const plain = settleBudget(budgetSchema().parse({}));
    if (!shown.ok || !plain.ok) throw new Error("the page's budget makes no sense");
    expect(shown.value.window).toEqual(plain.value.window);
    for (let id = 1; id <= 20; id++) {
      const agent = String(id).padStart(2, "0");
      expect(shown.value.role(agent)).toEqual(plain.value.role(agent));
    }
  });

  it("shows configurations that are valid", () => {
    const examples = blocksOf(page).filter(({ lang }) => lang === "yaml");
    expect(examples.length).toBe(2);
    for (const { text } of examples) expect(readConfig(text)).toMatchObject({ ok: true });
  });

  it("lists the tiers as they are", () => {
    const rows = tableOf(page, "tier", "where");
    expect(rows.map(([tier]) => spansOf(tier ?? "")[0])).toEqual([...TIERS]);
    expect(TIER_POLICIES.project).toMatchObject({ ttlMs: 7 * 86_400_000, level: 1 });
    expect(TIER_POLICIES.persistent).toMatchObject({ level: 3 });
    expect(TIER_POLICIES.persistent.ttlMs).toBeUndefined();
  });

  it("lists every command of budget", () => {
    const listed = tableOf(page, "command", "shows").map(([cell]) => spansOf(cell ?? "")[0] ?? "");
    for (const name of ["budget plan", "budget why", "budget cache", "budget lint"])
      expect(listed.some(cell => cell.startsWith(`espalier ${name}`))).toBe(true);
  });
});
