import { describe, expect, it } from "vitest";
import { PAGE, phase } from "../../context/shared/lab.ts";
import { openLab } from "../lab.ts";
import { context } from "./ask.ts";

describe("espalier context publish", () => {
  it("publishes a file under a label, then again from the file it remembers, and tells when nothing is new", async () => {
    await using lab = openLab({ "docs/context.md": PAGE });
    const first = await context(lab, ["publish", "GC", "docs/context.md"]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^GC-v1 [0-9a-f]{12}, from docs\/context\.md\n$/);
    lab.write("docs/context.md", phase(1));
    expect((await context(lab, ["publish"])).stdout).toMatch(/^GC-v2 /);
    expect((await context(lab, ["publish", "GC"])).stdout).toBe("nothing new, still GC-v2\n");
  });

  it("takes one name alone as a file where there is one, else as a label", async () => {
    await using lab = openLab({ "page.md": PAGE, "api.md": "# API\n" });
    expect((await context(lab, ["publish", "page.md"])).stdout).toMatch(/^GC-v1 /);
    expect((await context(lab, ["publish", "API", "api.md"])).stdout).toMatch(/^API-v1 /);
    lab.write("api.md", "# API\n\nGET /\n");
    expect((await context(lab, ["publish", "API"])).stdout).toMatch(/^API-v2 /);
    // A file alone is the document that it has been: no second one is made of it.
    lab.write("api.md", "# API\n\nGET /a\n");
    expect((await context(lab, ["publish", "api.md"])).stdout).toMatch(/^API-v3 /);
    expect((await context(lab, ["publish", "api.md"])).stdout).toBe("nothing new, still API-v3\n");
    // What others published in between changes nothing about where it comes from.
    await context(lab, ["publish", "API", "-", "--by", "T1.3 #2"], { stdin: "# API\n\nGET /x\n" });
    await context(lab, ["publish", "API", "-", "--by", "../../etc/passwd"], { stdin: "# API\n\nGET /y\n" });
    expect((await context(lab, ["publish", "API"])).stdout).toBe(
      "nothing new since v3: API-v5 has what others wrote since, and stays (in its place: --base 5)\n",
    );
    expect((await context(lab, ["show", "API"])).stdout).toBe("# API\n\nGET /y\n");
    expect((await context(lab, ["publish", "API", "--base", "5"])).stdout).toMatch(
      /^API-v6 .*, from api\.md$/m,
    );
    const lost = await context(lab, ["publish", "NEW"]);
    expect([lost.code, lost.stderr]).toEqual([
      2,
      "NO_FILE: it is not known which file NEW is published from\n  espalier context publish NEW FILE\n",
    ]);
  });

  it("reads standard input for -", async () => {
    await using lab = openLab();
    const done = await context(lab, ["publish", "GC", "-", "--by", "the lead"], { stdin: PAGE });
    expect(done.stdout).toContain("from the lead");
    expect((await context(lab, ["show", "GC"])).stdout).toBe(PAGE);
  });

  it("merges what two publishers changed in different sections", async () => {
    await using lab = openLab({ "a.md": PAGE, "b.md": PAGE });
    await context(lab, ["publish", "GC", "a.md"]);
    lab.write("a.md", phase(1));
    await context(lab, ["publish", "GC", "a.md"]);
    lab.write("b.md", PAGE.replace("no certificate yet", "a certificate"));
    const merged = await context(lab, ["publish", "GC", "b.md", "--base", "v1"]);
    expect(merged.stdout).toContain("merged with what others published since v1");
    const { stdout } = await context(lab, ["show", "GC"]);
    expect(stdout).toBe(phase(1).replace("no certificate yet", "a certificate"));
  });

  it("refuses two changes of one section, shows both, and publishes nothing (exit 1)", async () => {
    await using lab = openLab({ "a.md": PAGE, "b.md": phase(2) });
    await context(lab, ["publish", "GC", "a.md"]);
    lab.write("a.md", phase(1));
    await context(lab, ["publish", "GC", "a.md"]);
    const refused = await context(lab, ["publish", "GC", "b.md", "--base", "1"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("CONTEXT_CLASH: GC-v2 and yours both changed the same section since v1");
    for (const part of ["§Status", "  GC-v2:", "STEP 1", "  yours:", "STEP 2", "--base 2"])
      expect(refused.stderr).toContain(part);
    expect((await context(lab, ["show", "GC"])).stdout).toBe(phase(1));
    const asJson = await context(lab, ["publish", "GC", "b.md", "--base", "1", "--json"]);
    expect(JSON.parse(asJson.stdout)[0]).toMatchObject({ type: "refused", reason: "same-section" });
    const gone = await context(lab, ["publish", "GC", "b.md", "--base", "77"]);
    expect([gone.code, gone.stderr]).toEqual([
      1,
      expect.stringContaining("UNKNOWN_BASE: there is no GC-v77; the newest is"),
    ]);
  });

  it("refuses labels that cannot stand in messages, and shows them harmless", async () => {
    await using lab = openLab({ "a.md": PAGE });
    for (const label of ["a b", "x".repeat(65), "\u001b]0;x\u0007", "../GC", "a/b", ".hidden"]) {
      const refused = await context(lab, ["publish", label, "a.md"]);
      expect([refused.code, refused.stderr.includes("BAD_LABEL")]).toEqual([2, true]);
      expect(refused.stderr).not.toContain("\u001b");
    }
    expect((await context(lab, ["show"])).stdout).toBe("nothing has been published yet\n");
  });

  it("refuses what is no text, too large, or no plain file, before anything is opened", async () => {
    await using lab = openLab({ "bytes.md": new Uint8Array([0x61, 0xff]), "large.md": "" });
    lab.write("large.md", new Uint8Array(32_000_001).fill(0x61));
    for (const [name, code] of [
      ["bytes.md", "INPUT_NOT_UTF8"],
      ["large.md", "INPUT_TOO_LARGE"],
      ["none.md", "INPUT_NOT_FOUND"],
      [".", "INPUT_NOT_A_FILE"],
    ] as const) {
      const refused = await context(lab, ["publish", "GC", name]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(code)]);
    }
    expect((await context(lab, ["log"])).stderr).toContain("NO_CONTEXT");
  });

  it("stamps the version into the front matter where the project wants it", async () => {
    await using lab = openLab({
      "espalier.yaml": "context: { stampVersion: true }\n",
      "a.md": "---\nowner: lead\n---\n# A\n",
    });
    await context(lab, ["publish", "GC", "a.md"]);
    expect((await context(lab, ["show"])).stdout).toContain("GC-v1");
    expect((await context(lab, ["show", "GC"])).stdout).toBe("---\nowner: lead\nversion: 1\n---\n# A\n");
    expect((await context(lab, ["publish"])).stdout).toBe("nothing new, still GC-v1\n");
  });

  it("says in Korean what it says in English", async () => {
    await using lab = openLab({ "espalier.yaml": "locale: ko\n", "a.md": PAGE });
    expect((await context(lab, ["publish", "GC", "a.md"])).stdout).toMatch(
      /^GC-v1 [0-9a-f]{12}, 출처 a\.md\n$/,
    );
    expect((await context(lab, ["publish"])).stdout).toBe("변경 없음, 그대로 GC-v1\n");
    expect((await context(lab, ["publish", "a b", "a.md"])).stderr).toContain("문서 이름으로 쓸 수 없습니다");
    expect((await context(lab, ["log"])).stdout).toContain("게시");
    expect((await context(lab, ["teammates"])).stdout).toBe("아직 팀원이 없습니다\n");
  });

  it("publishes at every change while it watches, on top of what others publish, until it is ended", async () => {
    await using lab = openLab({ "a.md": PAGE });
    const watching = lab.start(["context", "publish", "GC", "a.md", "--watch"]);
    await watching.seen("watching a.md");
    lab.write("a.md", phase(1));
    await watching.seen("GC-v2");
    const other = PAGE.replace("no certificate yet", "a certificate");
    await context(lab, ["publish", "GC", "-", "--base", "1"], { stdin: other });
    lab.write("a.md", phase(1).replace("in cents", "in euros"));
    await watching.seen("GC-v4");
    // The same section once more: what was merged is no change of somebody else's.
    lab.write("a.md", phase(1).replace("in cents", "in pounds"));
    await watching.seen("GC-v5");
    watching.signal("SIGTERM");
    expect((await watching.ended).code).toBe(0);
    const { stdout } = await context(lab, ["show", "GC"]);
    for (const part of ["STEP 1", "a certificate", "in pounds"]) expect(stdout).toContain(part);
  });
});
