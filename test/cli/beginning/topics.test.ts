import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plainPage, topicNames } from "../../../src/cli/help/topics.ts";
import { openLab } from "../lab.ts";
import { answered } from "../terminal.ts";

describe("espalier help", () => {
  it("[CL7] lists every page with its first sentence, and shows each", async () => {
    await using lab = openLab();
    const pages = readdirSync("docs").filter(name => name.endsWith(".md"));
    expect(
      topicNames()
        .map(name => `${name}.md`)
        .sort(),
    ).toEqual(pages.sort());
    const { code, stdout } = await lab.ask("help", "topics");
    expect(code).toBe(0);
    const silent = topicNames().filter(name => !new RegExp(`^  ${name} +\\S+ \\S+`, "m").test(stdout));
    expect(silent).toEqual([]);
    const isTorn = (said: string) => /[:;]$/.test(said) || said.split("(").length !== said.split(")").length;
    const listed = stdout.split("\n").filter(line => /^ {2}\S/.test(line) && !line.endsWith("…"));
    expect(listed.length).toBeGreaterThan(15);
    expect(listed.filter(isTorn)).toEqual([]);
    const shown = (await lab.ask("help", "running")).stdout;
    expect(shown).toContain("# Running\n");
    expect(shown).not.toMatch(/\]\([a-z-]+\.md/);
    // A command of the same name comes first.
    expect((await lab.ask("help", "delta")).stdout).toContain("Usage: espalier delta");
    expect((await lab.ask("help", "topic", "delta")).stdout).toContain("# Delta");
    expect((await lab.ask("help")).stdout).toContain("Usage: espalier [options] [command]");
  });

  it("[CL7] finds where a word stands, and says of a name that it is none", async () => {
    await using lab = openLab();
    const found = await lab.ask("help", "topics", "HOT_FILE");
    expect([found.code, found.stdout]).toEqual([0, expect.stringMatching(/^worktrees \(\d+\)\n {2}\S/m)]);
    expect(await lab.ask("help", "topics", "xyzzy-nowhere")).toMatchObject({
      code: 1,
      stderr: "no page says xyzzy-nowhere\n",
    });
    const none = await lab.ask("help", "runnin", "--locale", "ko");
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("혹시 running?")]);
  });

  it("[CL7] goes through the person's pager on a terminal", async () => {
    await using lab = openLab();
    const within = { ...lab, env: { ...lab.env, PAGER: "sed s/^/paged:/" } };
    const { shown, code } = await answered(within, ["help", "state"], ["no such question"], "");
    expect([code, shown]).toEqual([0, expect.stringContaining("paged:# State and recovery")]);
  });

  it("[CL7] keeps code as it stands, and links by their words", () => {
    const text = "# A\n\nSee [b](c.md) and **d** `e`.\n\n```sh\necho [x](y)\n```\n![p](q.png)\n| `a\\|b` |\n";
    expect(plainPage(text)).toBe("# A\n\nSee b and d e.\n\n    echo [x](y)\n| `a\\|b` |\n");
    expect(plainPage(readFileSync("docs/running.md", "utf8"))).toContain("    $ espalier run --yes\n");
  });

  it("[CL7] shows no comment of a page: a Korean one has the mark of its original below each heading", () => {
    const text = "# A\n<!-- from a 1f -->\n\nb `<!-- c -->`\n\n```html\n<!-- d -->\n```\n";
    expect(plainPage(text)).toBe("# A\n\nb <!-- c -->\n\n    <!-- d -->\n");
    expect(plainPage(readFileSync("docs/ko/running.md", "utf8"))).not.toContain("<!--");
  });
});
