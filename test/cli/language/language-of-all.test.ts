import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { processIo } from "../../../src/cli/io.ts";
import { buildProgram } from "../../../src/cli/program.ts";
import { openRepositoryLab, tasksFile } from "../repository/lab.ts";

/** Serve until they are ended, read standard input, begin a run, print for programs, or what is kept in the project's language. */
const NOT_CALLED =
  /^(demo|dashboard|watch|mcp|hub start|worker|completion|draft|delta diff|delta squash|start|run|resume|context ack|phase report|checkpoint show)( |$)/;

/** What stands for an argument: there is nothing of that name, so that a refusal is told too. */
function stand(command: Command): string[] {
  return command.registeredArguments.filter(one => one.required).map(() => "x");
}

function leaves(command: Command, path: readonly string[] = []): string[][] {
  const below = command.commands.filter(one => one.name() !== "help");
  if (below.length === 0) return [[...path, ...stand(command)]];
  return below.flatMap(one => leaves(one, [...path, one.name()]));
}

const KOREAN = { LANG: "ko_KR.UTF-8" };

const CALLS = [
  ...leaves(buildProgram(processIo(), () => {})).filter(call => !NOT_CALLED.test(call.join(" "))),
  ["diff", "T9.9"],
  ["task", "show", "T1.1"],
  ["phase", "show", "1"],
  ["phase", "merge", "1"],
  ["worktrees", "clean", "--all"],
  ["hub", "start", "--listen", "x"],
  ["hub", "start", "--listen", "0.0.0.0:1"],
  ["worker", "start", "--hub", "ftp://x"],
  ["worker", "list", "--hub", "https://127.0.0.1:1"],
];

/** English words in a row, outside of what is typed as it stands. */
function english(text: string): string[] {
  const typed = /[가-힣]|npm install |^ {2}espalier /;
  return text.split("\n").filter(line => !typed.test(line) && / [a-z]{2,} [a-z]{2,} /.test(` ${line} `));
}

describe("the language of every command", () => {
  it("[CL20] is that of the environment, whatever they tell", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "backoff: { first: 0s }\n",
      ".gitignore": ".espalier\n",
      "TASKS.md": tasksFile({ "1": { "T1.1": ["run: true", "verify: true"] } }),
    });
    await lab.askIn(KOREAN, "run", "--yes");
    const foreign: string[] = [];
    for (const call of CALLS) {
      const { stdout, stderr } = await lab.askIn(KOREAN, ...call);
      foreign.push(...english(`${stdout}\n${stderr}`).map(line => `${call.join(" ")}: ${line}`));
    }
    expect(CALLS.length).toBeGreaterThan(50);
    expect(foreign).toEqual([]);
  });
});
