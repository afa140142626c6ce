import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { candidates } from "../../../src/cli/commands/completion.ts";
import { processIo } from "../../../src/cli/io.ts";
import { buildProgram } from "../../../src/cli/program.ts";
import { EXIT } from "../../../src/ports/index.ts";
import { openLab } from "../lab.ts";

const program = buildProgram(processIo(), () => {});
const IDS = ["T1.1", "T1.2", "준비-1"];
const here = {
  ids: () => IDS,
  phases: () => ["0", "1"],
  agents: () => ["mine", "codex"],
  topics: () => ["recipes", "running"],
};
const offered = (line: string) => {
  const words = line.split(" ");
  return candidates(program, words.slice(0, -1), words.at(-1) ?? "", here);
};

/** Whether a shell is here. */
const has = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

describe("completion", () => {
  it("[CL8] offers every command, and what each has below it", () => {
    expect(offered("")).toEqual(program.commands.map(command => command.name()));
    expect(offered("task sk")).toEqual(["skip"]);
    expect(offered("completion z")).toEqual(["zsh"]);
  });

  it("[CL8] offers options, their choices, agents and ids", () => {
    expect(offered("run --tr")).toEqual(["--trust-boxes", "--trust-state"]);
    expect(offered("run --agent co")).toEqual(["codex", "codex-acp", "copilot", "command"]);
    expect(offered("run --only T")).toEqual(["T1.1", "T1.2"]);
    expect(offered("--locale ko task show 준")).toEqual(["준비-1"]);
    expect(offered("diff T1.2")).toEqual(["T1.2"]);
    expect(offered("delta replay --policy s")).toEqual(["spec"]);
    expect(offered("run x")).toEqual([]);
    expect(offered("context receipt T")).toEqual(["T1.1", "T1.2"]);
    for (const command of ["merge", "show", "force"])
      expect(offered(`phase ${command} `)).toEqual(["0", "1"]);
    expect(offered("diff ")).toEqual([...IDS, "0", "1"]);
    expect(offered("run --agent m")).toEqual(["mine"]);
    expect(offered("help r")).toEqual(["run", "resume", "report", "review", "recipes", "running"]);
    expect(offered("help top")).toEqual(["topics"]);
  });

  it("[CL8] [CL9] is what a real bash offers, and nothing of the repository is executed for it", async () => {
    const evil = "T1.3$(touch evil)`touch evil`";
    const tasks = ["T1.1", "T1.2", evil].map(id => `### [ ] ${id}: a\n`).join("");
    await using lab = openLab({ "TASKS.md": `# B\n## Phase 1: p\n${tasks}` });
    lab.write("../home/bin/espalier", `#!/bin/sh\nexec ${lab.line([]).trimEnd()} "$@"\n`);
    chmodSync(`${lab.home}/bin/espalier`, 0o755);
    const script = (await lab.ask("completion", "bash")).stdout;
    const lines = [
      script,
      "COMP_WORDS=(espalier task show T1); COMP_CWORD=3; _espalier",
      "printf '%s\\n' \"$" + '{COMPREPLY[@]}"',
    ];
    const { stdout, stderr } = spawnSync("bash", ["-c", lines.join("\n")], {
      cwd: lab.root,
      env: { ...lab.env, PATH: `${lab.home}/bin:${process.env["PATH"]}` },
      encoding: "utf8",
    });
    expect([stdout, stderr]).toEqual(["T1.1\nT1.2\nT1.3\n", ""]);
    expect(() => lab.read("evil")).toThrow("ENOENT");
  });

  it.runIf(has("zsh"))("[CL8] works in zsh at the first Tab, and wherever in .zshrc it is told", async () => {
    await using lab = openLab();
    lab.write("_espalier", (await lab.ask("completion", "zsh")).stdout);
    const zsh = (...lines: readonly string[]) => {
      const { stdout, stderr } = spawnSync("zsh", ["-c", lines.join("\n")], {
        cwd: lab.root,
        env: { ...lab.env, PATH: process.env["PATH"] },
        encoding: "utf8",
      });
      return [stdout, stderr];
    };
    const OFFERS = [
      "espalier() { print task }",
      "compadd() { print -- $@ }",
      "words=(espalier ta) CURRENT=2",
    ];
    const COMPDEF = "compdef() { print compdef $@ }";
    expect(zsh(...OFFERS, "fpath=(. $fpath)", "autoload -Uz _espalier", "_espalier")).toEqual([
      "-- task\n",
      "",
    ]);
    expect(zsh(COMPDEF, "source ./_espalier")).toEqual(["compdef _espalier espalier\n", ""]);
    expect(zsh("source ./_espalier", COMPDEF, "for one in $precmd_functions; do $one; done")).toEqual([
      "compdef _espalier espalier\n",
      "",
    ]);
  });

  it.runIf(has("fish"))("[CL8] offers words in fish, and files only where there are none", async () => {
    await using lab = openLab();
    const script = (await lab.ask("completion", "fish")).stdout;
    const fish = (found: string) => {
      const stubs = [
        `function espalier; ${found}; end`,
        "function __fish_complete_path; echo tasks.txt; end",
      ];
      const { stdout, stderr } = spawnSync(
        "fish",
        ["-c", [...stubs, script, "complete -C 'espalier t'"].join("\n")],
        {
          cwd: lab.root,
          env: { ...lab.env, PATH: process.env["PATH"] },
          encoding: "utf8",
        },
      );
      return [stdout.trim().split("\n"), stderr];
    };
    expect(fish("echo task; echo tell")).toEqual([["task", "tell"], ""]);
    expect(fish("true")).toEqual([["tasks.txt"], ""]);
  });

  it("[CL8] offers the languages, the project's agents and its phases, by the words of a shell", async () => {
    await using lab = openLab({
      "TASKS.md": "# B\n## Phase 1: p\n### [ ] T1.1: a\n",
      "espalier.yaml": "agents: { mine: { command: cat } }\n",
    });
    const words = async (...line: readonly string[]) =>
      (await lab.ask("completion", "words", "--", ...line)).stdout.trim().split("\n");
    expect(await words("run", "--locale", "")).toEqual(["en", "ko"]);
    expect(await words("run", "--agent", "mi")).toEqual(["mine"]);
    expect(await words("phase", "merge", "")).toEqual(["1"]);
    expect(await words("help", "task-f")).toEqual(["task-files"]);
  });

  it("[CL8] has a script for each shell, and offers nothing where there is no task file", async () => {
    await using lab = openLab();
    for (const shell of ["zsh", "fish"]) {
      const { code, stdout } = await lab.ask("completion", shell);
      expect([code, stdout]).toEqual([0, expect.stringContaining("espalier completion words -- ")]);
    }
    expect(await lab.ask("completion", "words", "--", "task", "show", "")).toMatchObject({
      code: 0,
      stdout: "",
    });
    expect((await lab.ask("completion", "tcsh")).code).toBe(2);
  });
});

describe("exit codes", () => {
  it("[CL10] are what programs rely on", () => {
    expect(EXIT).toEqual({
      done: 0,
      failedTasks: 1,
      usage: 2,
      invalidPlan: 3,
      locked: 4,
      waitingForPerson: 5,
      environment: 6,
      bug: 70,
      interrupted: 130,
    });
  });
});
