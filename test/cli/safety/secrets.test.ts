import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { redactorOf, unreadSettings } from "../../../src/host/project/secrets.ts";
import { reasonText } from "../../../src/text/index.ts";
import { openLab } from "../lab.ts";

function project(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "espalier-settings-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return root;
}

const number = (at: number): string => at.toString().padStart(6, "0");

describe("secrets of files of settings", () => {
  it.each<[string, string, readonly string[]]>([
    ["a plain value", "A_KEY=plain-Value1", ["plain-Value1"]],
    ["blanks around it", "A_KEY =  plain-Value1  ", ["plain-Value1"]],
    ["a colon", "A_KEY: plain-Value1", ["plain-Value1"]],
    ["export", "  export A_KEY=plain-Value1", ["plain-Value1"]],
    ["a comment behind it", "A_KEY=plain-Value1 # of the shop", ["plain-Value1"]],
    ["a sign that may begin a comment", "A_KEY=plain#Value1", ["plain#Value1"]],
    ["double quotes", 'A_KEY="quoted Value1" # c', ["quoted Value1"]],
    ["single quotes", "A_KEY='quoted Value1' # c", ["quoted Value1"]],
    ["backticks", "A_KEY=`quoted 'Val\"ue1`", ["quoted 'Val\"ue1"]],
    ["quotes that stand for themselves", 'A_KEY="quoted-Value1"', ['"quoted-Value1"', "quoted-Value1"]],
    ["escaped quotes", 'A_KEY="quo\\"ted-Value1"', ['quo"ted-Value1', 'quo\\"ted-Value1']],
    ["a backslash at the end", 'A_KEY="quoted-Value1\\"\nB=1', ["quoted-Value1\\"]],
    ["an escaped backslash", 'A_KEY="quo\\\\ted-Value1"', ["quo\\ted-Value1", "quo\\\\ted-Value1"]],
    ["escaped line breaks", 'A_KEY="line-Value1\\nline-Value2"', ["line-Value1\nline-Value2"]],
    ["several lines", 'A_KEY="line-Value1\nline-Value2"\nB=1', ["line-Value1\nline-Value2"]],
    [
      "lines that end in CRLF",
      'A_KEY=plain-Value1\r\nB_KEY="quoted-Value2"\r\n',
      ["plain-Value1", "quoted-Value2"],
    ],
    ["a shell's pieces", `A_KEY='it'\\''s-'"Value1"\\ end`, ["it's-Value1 end"]],
    ["a mark of the byte order", "\uFEFFA_KEY=plain-Value1", ["plain-Value1"]],
    ["an address", "URL=postgres://me:pa%24s-Value1@db/x", ["pa%24s-Value1", "pa$s-Value1"]],
  ])("[E59] are known in %s", (_, text, secrets) => {
    const redact = redactorOf({}, project({ ".env": `X=1\n${text}\nY=ordinary-Value` }));
    for (const secret of secrets) expect(redact(`<${secret}>`)).toBe("<[redacted]>");
    expect(redact("<ordinary-Value>")).toBe("<ordinary-Value>");
  });

  it("[E59] are bounded in their files, their number and their size, and what is left out is told", () => {
    const many = (count: number, from: number) =>
      Array.from({ length: count }, (_, at) => `K${at}_KEY=value-${number(from + at)}`).join("\n");
    expect(unreadSettings(project({ ".env": many(500, 0), ".env.b": "B=1" }))).toBeUndefined();
    const root = project({
      ".env": many(300, 0),
      ".env.a": `A_KEY=${"large-".repeat(12_000)}`,
      ".env.b": many(300, 300),
      ...Object.fromEntries(Array.from({ length: 18 }, (_, at) => [`.env.c${number(at)}`, "C=1"])),
    });
    expect(reasonText(unreadSettings(root)!, "en")).toBe(
      "secrets are not masked that stand in .env.c000017 (file 21 or later), .env.a (over 64 KiB), " +
        ".env.b (over 500 values or 32 KiB of them): put what is secret into a small .env, or into the environment",
    );
    const redact = redactorOf({}, root);
    expect(redact("value-000499 value-000500")).toBe("[redacted] value-000500");
    const long = project({ ".env": `A_KEY=${"v1-".repeat(11_000)}\nB_KEY=another-Value1` });
    expect(reasonText(unreadSettings(long)!, "en")).toContain(".env (over 500 values or 32 KiB of them)");
    expect(reasonText(unreadSettings(root)!, "ko")).toContain(
      ".env.c000017 (21번째 이후의 파일), .env.a (64KiB 초과), .env.b (값 500개 또는 32KiB 초과)에 있는 비밀은",
    );
  });

  it("[E59] which are too much are told when a run is opened, once", async () => {
    await using lab = openLab({
      "TASKS.md": "# S\n\n## Phase 1: p\n\n### [ ] T1.1: t\n- run: echo done\n",
      ".env": `A_KEY=${"large-".repeat(12_000)}\n`,
    });
    const { stderr } = await lab.ask("run", "--yes");
    expect(stderr.split("secrets are not masked that stand in .env (over 64 KiB)")).toHaveLength(2);
  });
});
