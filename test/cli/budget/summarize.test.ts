import { describe, expect, it } from "vitest";
import { countTokens } from "../../../src/tokens/index.ts";
import { openModelServer } from "../../adapters/model-server.ts";
import { KOREAN_OUTPUT, longOutput, YAML_OUTPUT } from "../../summary/outputs.ts";
import { openLab } from "../lab.ts";

const LONG = longOutput(120);

interface Report {
  readonly level: number;
  readonly tokens: number;
  readonly sourceTokens: number;
  readonly text: string;
  readonly locale: string;
  readonly problems: readonly unknown[];
  readonly checks: readonly { readonly name: string; readonly state: string }[];
  readonly lostChecks: readonly string[];
  readonly artifactText: string;
  readonly model?: { readonly how: string; readonly spent: { readonly calls: number } };
}

describe("espalier summarize", () => {
  it("prints a level within its ceiling, brief unless said", async () => {
    await using lab = openLab({ "out.md": LONG });
    for (const [args, ceiling] of [
      [[], 1000],
      [["--level", "3"], 300],
      [["--level", "1"], 3000],
    ] as const) {
      const { code, stdout, stderr } = await lab.ask("summarize", "out.md", ...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(countTokens(stdout)).toBeLessThanOrEqual(ceiling + 1);
      expect(stdout).toContain("export_jobs");
    }
    expect((await lab.ask("summarize", "out.md", "--level", "0")).stdout).toBe(LONG);
  });

  it("names the output by its file, its contract or the flag", async () => {
    await using lab = openLab({ "out.md": LONG, "two.md": `${YAML_OUTPUT}${LONG}` });
    const first = async (...args: readonly string[]) =>
      (await lab.ask("summarize", ...args, "--level", "3")).stdout.split(" ")[0];
    expect(await first("out.md")).toBe("[out]");
    expect(await first("two.md")).toBe("[02-theory]");
    expect(await first("two.md", "--id", "x1")).toBe("[x1]");
  });

  it("tells why with --why", async () => {
    await using lab = openLab({ "two.md": `${YAML_OUTPUT}${LONG}` });
    const { stdout } = await lab.ask("summarize", "two.md", "--level", "3", "--why");
    const [, why = ""] = stdout.split("\n---\n");
    expect(why).toMatch(/^level 3: \d+ of \d+ tokens\n/);
    // No figure tells how good a level is: none was found that agrees with readers.
    expect(why).not.toMatch(/\d %/);
    expect(why).toContain("decision is stated again, differently: Use the `export_jobs` table (D-2)");
    expect(why).toContain("  self-critique passed; passes in the output, not in this level\n");
    expect(why).toContain("created: src/queue.ts");
  });

  it("says in Korean what it says itself, and heads a level in the language of its text", async () => {
    const korean = `${KOREAN_OUTPUT}\n${"- 작업은 `src/queue.ts` 에서 나간다\n".repeat(90)}`;
    await using lab = openLab({
      "two.md": `${YAML_OUTPUT}${LONG}`,
      "ko.md": korean,
      "espalier.yaml": "locale: ko\n",
    });
    const { stdout } = await lab.ask("summarize", "two.md", "--level", "2", "--why");
    expect(stdout).toMatch(
      /^## Agent 02-theory, summary\n\n\*\*Decision\*\*: Queue \(T=0.55, confidence=82\)/,
    );
    const other = await lab.ask("summarize", "ko.md", "--level", "2");
    expect(other.stdout).toMatch(/^## Agent 05-문헌 요약\n\n\*\*결정\*\*: 계층적 검색을 쓴다/);
    expect(stdout).toContain("수준 2: ");
    expect(stdout).toContain("평가:");
  });

  it("prints everything as JSON", async () => {
    await using lab = openLab({ "two.md": `${YAML_OUTPUT}${LONG}` });
    const { stdout } = await lab.ask("summarize", "two.md", "--level", "3", "--json");
    const report = JSON.parse(stdout) as Report;
    expect(report).toMatchObject({ level: 3, whole: false, binary: false, unread: 0 });
    expect(report.tokens).toBe(countTokens(report.text));
    expect(report.locale).toBe("en");
    expect(report.checks.map(({ state }) => state)).toEqual([
      "passed",
      "passed",
      "passed",
      "passed",
      "passed",
    ]);
    expect(report.lostChecks).toContain("self-critique");
    expect(report.artifactText).toContain("deleted: src/cron.ts");
  });

  it("takes short, empty and binary files for what they are", async () => {
    await using lab = openLab({
      "short.md": "Decided D-1.\n",
      "empty.md": "",
      "core.bin": new Uint8Array([0, 1, 2, 255, 254, 0]),
    });
    expect((await lab.ask("summarize", "short.md", "--why")).stdout).toContain("nothing was left out");
    expect(await lab.ask("summarize", "empty.md")).toMatchObject({ code: 0, stdout: "\n" });
    expect((await lab.ask("summarize", "core.bin")).stdout).toMatch(/^\[core\] not text: 6 characters/);
  });

  it("refuses what it cannot read and levels that do not exist", async () => {
    await using lab = openLab({ "out.md": LONG });
    expect(await lab.ask("summarize", "none.md")).toMatchObject({ code: 2, stdout: "" });
    expect(await lab.ask("summarize", ".")).toMatchObject({ code: 2 });
    const wrong = await lab.ask("summarize", "out.md", "--level", "4");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("0 (all), 1 (detailed), 2 (brief) or 3 (key)");
  });

  it("lets a model condense first, and says what that cost", async () => {
    const answer = { summary: "Settled on export_jobs.", facts: ["D-2 stands"] };
    await using server = await openModelServer({ content: JSON.stringify(answer) });
    await using lab = openLab({ "out.md": LONG });
    const flags = ["--model", "tiny", "--base-url", server.baseUrl, "--level", "3"];
    const { stdout } = await lab.ask("summarize", "out.md", ...flags, "--why");
    expect(stdout).toContain("Settled on export_jobs.\n- D-2 stands");
    expect(stdout).toContain("model: 1 calls, 120 tokens in, 30 out");
    const report = JSON.parse((await lab.ask("summarize", "out.md", ...flags, "--json")).stdout) as Report;
    expect(report.model).toMatchObject({ how: "model", spent: { calls: 1 } });
  });

  it("does without a model that fails, and says so", async () => {
    await using server = await openModelServer({ status: 401 });
    await using lab = openLab({ "out.md": LONG });
    const plain = (await lab.ask("summarize", "out.md", "--level", "3")).stdout;
    const { code, stdout } = await lab.ask(
      "summarize",
      "out.md",
      "--level",
      "3",
      "--why",
      "--model",
      "tiny",
      "--base-url",
      server.baseUrl,
    );
    expect(code).toBe(0);
    expect(stdout.startsWith(plain.trimEnd())).toBe(true);
    expect(stdout).toContain("answer refused, not logged in: scripted 401");
    expect(stdout).toContain("done without the model");
  });

  it("takes the model of the configuration when it is asked to", async () => {
    await using server = await openModelServer({
      content: JSON.stringify({ summary: "Settled.", facts: ["export_jobs D-2"] }),
    });
    await using lab = openLab({ "out.md": LONG });
    expect((await lab.ask("summarize", "out.md", "--model")).stderr).toContain("NO_MODEL");
    lab.write(
      "espalier.yaml",
      `budget:\n  model: { name: tiny, base_url: "${server.baseUrl}" }\n  summary_templates:\n    level_3_key: { format: "KEY {decision}" }\n`,
    );
    const unasked = await lab.ask("summarize", "out.md", "--level", "3", "--model");
    expect(unasked).toMatchObject({ code: 5, stdout: "" });
    expect(unasked.stderr).toContain(`send outputs of agents to ${server.baseUrl}`);
    expect(server.asked).toEqual([]);
    const { stdout, stderr } = await lab.ask("summarize", "out.md", "--level", "3", "--model", "--yes");
    expect(stderr).toMatch(/^tiny at 127\.0\.0\.1:\d+ reads the output\n$/);
    expect(stdout).toContain("Settled.");
    expect(stdout.startsWith("KEY Use the `export_jobs` table (D-2)\n")).toBe(true);
    expect(server.asked).toHaveLength(1);
    expect((await lab.ask("summarize", "out.md")).stderr).toBe("");
    expect(server.asked).toHaveLength(1);
  });

  it("names what a model needs", async () => {
    await using lab = openLab({ "out.md": LONG });
    const noAddress = await lab.ask("summarize", "out.md", "--model", "tiny");
    expect(noAddress).toMatchObject({ code: 2 });
    expect(noAddress.stderr).toContain("MODEL_ADDRESS");
    const noServer = await lab.ask(
      "summarize",
      "out.md",
      "--model",
      "tiny",
      "--base-url",
      "file:///etc/passwd",
    );
    expect(noServer).toMatchObject({ code: 2 });
    expect(noServer.stderr).toContain("http or https");
    const noKey = await lab.ask(
      "summarize",
      "out.md",
      "--model",
      "m",
      "--base-url",
      "http://127.0.0.1:9/v1",
      "--key-env",
      "NO_KEY",
    );
    expect(noKey.stderr).toContain("MODEL_KEY: the environment has no NO_KEY");
  });

  it("reads standard input and shows a terminal nothing dangerous", async () => {
    await using lab = openLab({ "evil.md": `Decided \u001b[2J D-1 in \`src/a.ts\`.\n` });
    const { stdout } = await lab.cli(["summarize", "evil.md", "--why"]);
    // A pipe gets the bytes; what --why says about them is always safe.
    expect(stdout.split("\n---\n")[1]).not.toContain("\u001b");
    expect((await lab.cli(["summarize", "-"])).code).toBe(0);
  });
});
