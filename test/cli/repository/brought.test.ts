import { lstatSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

const AGENT = "cat > /dev/null; echo called >> ../called; echo 1 > one.txt; echo DONE:$ESPALIER_SIGNAL_ID";
const config = (worktree: string) =>
  `agent: command\ncommand: sh -c '${AGENT}'\nverify: grep -q good .env\nworktree: ${worktree}\n`;

async function openPaused(): Promise<{ lab: RepositoryLab; worktree: string }> {
  const lab = openRepositoryLab({
    "espalier.yaml": config("{ copy: [.env], link: [data] }"),
    ".gitignore": ".env\n",
    "TASKS.md": tasksFile({ "1: a": { "T1.1": [] } }),
  });
  lab.write(".env", "bad\n");
  lab.write("data/file", "main's\n");
  expect((await lab.ask("run", "--yes")).stdout).toContain("[PAUSED] T1.1: verify was broken before");
  await lab.ask("task", "resume", "T1.1");
  return { lab, worktree: lab.beside("project-phase1-a") };
}

describe("what worktrees are brought from the main checkout", () => {
  it("[V65] [V66] is there as it was mended meanwhile, and gone where it is asked for no more", async () => {
    const { lab, worktree } = await openPaused();
    await using _ = lab;
    expect(lab.text(`${worktree}/data/file`)).toBe("main's\n");
    lab.write(".env", "good\n");
    lab.write("espalier.yaml", config("{ copy: [.env] }"));
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.1\n")]);
    expect(lab.text(lab.beside("called"))).toBe("called\n");
    expect(lstatSync(`${worktree}/data`, { throwIfNoEntry: false })).toBeUndefined();
    expect(lab.git("ls-tree", "--name-only", "phase/1-a")).not.toContain("data");
  });

  it("[V65] stays as somebody changed it in the worktree, which is told with what to do", async () => {
    const { lab, worktree } = await openPaused();
    await using _ = lab;
    lab.write(`../project-phase1-a/.env`, "changed\n");
    lab.write(".env", "good\n");
    const kept = `COPY_KEPT .env in ${worktree} stays as it was changed there`;
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect([code, stdout]).toEqual([5, expect.stringContaining(kept)]);
    lab.git("-C", worktree, "clean", "-qfX");
    await lab.ask("task", "resume", "T1.1");
    expect((await lab.ask("resume", "--yes")).stdout).toContain("[DONE] T1.1\n");
  });

  it("[V66] is no work that is saved before a folder goes, where the main checkout has the same", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "worktree: { copy: [local.yaml, own.yaml], link: [data] }\nphase: { merge: auto }\n",
      // A pattern for folders, as most are: git ignores no link by it.
      ".gitignore": "data/\n",
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt; echo changed > own.yaml"] } }),
    });
    lab.write("local.yaml", "port: 1\n");
    lab.write("own.yaml", "port: 1\n");
    lab.write("data/file", "main's\n");
    const ran = await lab.ask("run", "--yes");
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("[DONE] T1.1")]);
    const rescued = lab.git("branch", "--list", "--format=%(refname:short)", "espalier/rescue/*");
    expect(lab.git("diff", "--name-only", `${rescued}^`, rescued)).toBe("own.yaml");
  });

  it("[V66] is counted and saved as little while the folder stays", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "worktree: { link: [data] }\n",
      ".gitignore": "data/\n",
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"] } }),
    });
    lab.write("data/file", "main's\n");
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect((await lab.ask("worktrees", "list")).stdout).toBe(
      "phase/1-a  ../project-phase1-a\n  not merged\n",
    );
    await lab.ask("worktrees", "rescue");
    const merged = await lab.ask("phase", "merge", "1");
    expect(merged.stderr).not.toContain("espalier/rescue");
    expect(lab.git("branch", "--list", "espalier/rescue/*")).toBe("");
  });
});
