import { describe, expect, it } from "vitest";
import { FOREIGN_KINDS, importPlan, readForeign, readPlan } from "../../src/plan/index.ts";
import { blocksOf, readPage, tableOf } from "./page.ts";

const page = readPage("docs/import.md");
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("docs/import.md", () => {
  it("lists the sources there are", () => {
    const names = tableOf(page, "source").map(([name = ""]) => name.toLowerCase().replace(" ", "-"));
    expect(names).toEqual([...FOREIGN_KINDS]);
    expect(page).toContain(`--from ${FOREIGN_KINDS.join("|")}`);
  });

  it("shows what an import writes", () => {
    const source =
      "# Tasks: Shop\n\n## Phase 1: Setup\n- [x] T001 Create the project\n- [ ] T002 [P] Configure lint in biome.json\n";
    const { foreign } = readForeign(bytesOf(source), { path: "tasks.md" });
    if (foreign === undefined) throw new Error("not read");
    const { text } = importPlan(foreign, "<!-- c -->");
    const shown = blocksOf(page).find(({ lang }) => lang === "markdown")?.text ?? "";
    const comparable = (one: string) =>
      one.replace("<!-- c -->\n\n", "").replace(" in biome.json", "").trim();
    expect(comparable(shown)).toBe(comparable(text));
    expect(readPlan(bytesOf(shown), { path: "TASKS.md" }).diagnostics).toEqual([]);
  });
});
