import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { processIo } from "../../src/cli/io.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { readConfig } from "../../src/config/index.ts";
import { readPlan } from "../../src/plan/index.ts";
import { EXIT } from "../../src/ports/index.ts";
import { openLab } from "../cli/lab.ts";
import { type Block, blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/recipes.md");
const of = (lang: string) => blocksOf(page).filter(block => block.lang === lang);

/** A session that begins with a file: its name and text, the command line, and what that prints. */
function sessionOf({ text }: Block) {
  const [, name = "", file = "", args = "", printed = ""] =
    /^\$ cat (\S+)\n([\s\S]*?)\$ espalier ([^\n]*)\n([\s\S]*)$/.exec(text) ?? [];
  return { name, file, args: args.split(" "), printed };
}

describe("README.md", () => {
  it("shows a part of the library that works as it stands", () => {
    const text = blocksOf(readPage("README.md")).find(({ lang }) => lang === "js")?.text ?? "";
    const built = new URL("../../dist/plan/index.js", import.meta.url).href;
    const args = ["--input-type=module", "-e", text.replace("espalier/plan", built)];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["T1.1: Say hello\n", ""]);
  });

  it("has every command of the program in its table", () => {
    const told = tableOf(readPage("README.md"), "command", "what for")
      .flatMap(([commands = ""]) => spansOf(commands))
      .map(span => span.replace(/^espalier /, "").split(/[ \\]/)[0]);
    const all = buildProgram(processIo(), () => {}).commands.map(command => command.name());
    expect(all.filter(name => !told.includes(name))).toEqual([]);
  });

  it("lists the exit codes that there are", () => {
    const told = /^Exit codes: ([\s\S]*?)\.\n/m.exec(readPage("README.md"))?.[1] ?? "";
    const codes = [...told.matchAll(/(?:^|, ?\n?)(\d+) /g)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT).sort((a, b) => a - b));
  });
});

describe("docs/recipes.md", () => {
  const sessions = of("console").map(sessionOf);

  it.each(sessions)("shows what espalier $args prints", async ({ name, file, args, printed }) => {
    await using lab = openLab({ [name]: file });
    lab.write("../home/bin/codex", "#!/bin/sh\necho 9.9.9\n");
    chmodSync(`${lab.home}/bin/codex`, 0o755);
    lab.write("espalier.yaml", "parallel: 5\n");
    const path = { PATH: `${lab.home}/bin:${process.env["PATH"]}` };
    const { code, stdout } = await lab.askIn(path, ...args);
    // What agents are likely to take comes behind a blank line.
    expect([code, args[0] === "run" ? stdout.split("\n\n")[0]?.trimEnd() : stdout.trimEnd()]).toEqual([
      0,
      printed.trimEnd(),
    ]);
  });

  it("has settings and fields that are read as it says", () => {
    expect(sessions.length).toBe(3);
    const settings = of("yaml").map(({ text }) => readConfig(text));
    expect(settings.map(one => one.ok)).toEqual([true, true]);
    const [task] = of("markdown").map(
      ({ text }) => readPlan(Buffer.from(text), { path: "TASKS.md" }).plan.tasks,
    );
    expect(task).toMatchObject([{ id: "T1.1", verify: "npm test -- cart" }]);
  });

  it("shows an import whose state finds its way back", async () => {
    const source = sessions.find(({ name }) => name.includes("taskmaster"));
    const path = source?.name ?? "";
    await using lab = openLab({ [path]: source?.file ?? "" });
    expect((await lab.ask("import", path, "--write")).code).toBe(0);
    lab.write("TASKS.md", lab.read("TASKS.md").replaceAll("[ ]", "[x]"));
    expect((await lab.ask("export", path, "--write")).code).toBe(0);
    expect(JSON.parse(lab.read(path)).tasks[1].status).toBe("done");
  });
});
