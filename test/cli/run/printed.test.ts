import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../scratch.ts";
import { openLab } from "../lab.ts";

const PLAN = "# P\n\n## Phase 1: X\n\n### [ ] T1.1: one\n- run: `echo one > one.txt`\n";
const SOURCE = new URL("../../../src/cli/printed.ts", import.meta.url).href;

/** Stands before a call whose output goes to a disk that is full. */
function intoFull(what: string): readonly string[] {
  return ["sh", "-c", `exec "$@" ${what}`, "sh"];
}

/** Prints more lines than its file may hold, takes back what it printed, and prints one more. */
const CUT_OFF = `
const { watchPrinted } = await import(${JSON.stringify(SOURCE)});
const { statSync, truncateSync } = await import("node:fs");
const printed = watchPrinted(process);
for (let n = 0; n < 20; n++) process.stdout.write("x".repeat(299) + "\\n");
const size = statSync(process.argv[1]).size;
truncateSync(process.argv[1], 0);
process.stdout.write("after\\n");
const { code, exitCode } = printed.lost() ?? {};
process.stderr.write(JSON.stringify({ size, code, exitCode }));
`;

describe("[CL23] what is printed and cannot be written", () => {
  it.skipIf(!existsSync("/dev/full"))(
    "ends no run, and is told at the end with an exit code of its own",
    async () => {
      await using lab = openLab({ "TASKS.md": PLAN });
      const run = await lab.cli(["run", "--yes"], { via: intoFull(">/dev/full") });
      expect(run.stderr).toContain("NOT_PRINTED: not all of what this printed could be written: ENOSPC");
      expect(run.stderr).not.toContain("BUG");
      expect(run.code).toBe(6);
      expect(lab.read("one.txt")).toBe("one\n");
      expect((await lab.ask("status")).stdout).toContain("completed");
      const status = await lab.cli(["status"], {
        via: intoFull(">/dev/full"),
        env: { ESPALIER_LOCALE: "ko" },
      });
      expect(status.stderr).toContain("NOT_PRINTED: 출력한 것 가운데 일부를 쓰지 못했습니다");
      const neither = await lab.cli(["run", "--yes"], { via: intoFull(">/dev/full 2>&1") });
      expect(neither.code).toBe(6);
      const unknown = await lab.cli(["run", "--nosuch"], { via: intoFull(">/dev/full") });
      expect(unknown.code).toBe(2);
    },
  );

  it("goes on where the file takes more again, in a line of its own", () => {
    const folder = scratchFolder("espalier-printed-");
    try {
      const file = join(folder, "log");
      // A block of the limit is 512 or 1024 bytes: no whole number of lines of 300.
      const script = 'ulimit -f 2; file="$1"; shift; exec "$@" "$file" >> "$file"';
      const args = [
        "-c",
        script,
        "sh",
        file,
        process.execPath,
        "--no-warnings",
        "--input-type=module",
        "-e",
        CUT_OFF,
      ];
      const { stderr } = spawnSync("sh", args, { encoding: "utf8" });
      expect(JSON.parse(stderr)).toMatchObject({ code: "NOT_PRINTED", exitCode: 6 });
      expect(JSON.parse(stderr).size % 300).not.toBe(0);
      expect(readFileSync(file, "utf8")).toBe("\nafter\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
