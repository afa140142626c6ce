import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { order } from "../order.ts";
import { must, openGitLab } from "../vcs/lab.ts";
import { busy, journey, oneTurn, reasonOf } from "./journey.ts";
import { withEngine } from "./with-engine.ts";

const run = promisify(execFile);

withEngine("work that travels", engine => {
  it("[FL16] stands in the folder as it was made, on top of all that stood there", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "gone.txt": "x\n", ".gitignore": "*.log\n" });
    lab.write("half.txt", "not committed\n");
    lab.write("a.txt", "changed\n");
    lab.write("private.log", "stays here\n");
    const seen: string[] = [];
    const agent = busy([
      cwd => {
        seen.push(
          execFileSync("ls", ["-A"], { cwd, encoding: "utf8" }),
          readFileSync(join(cwd, "a.txt"), "utf8"),
        );
        seen.push(execFileSync("git", ["log", "--format=%s"], { cwd, encoding: "utf8" }));
        rmSync(join(cwd, "gone.txt"));
        mkdirSync(join(cwd, "deep"));
        writeFileSync(join(cwd, "deep", "new.sh"), "#!/bin/sh\n");
        chmodSync(join(cwd, "deep", "new.sh"), 0o755);
        writeFileSync(join(cwd, "a.txt"), "changed\nagain\n");
        writeFileSync(join(cwd, "made.log"), "stays there\n");
      },
    ]);
    await using there = await journey(engine(), lab, agent);
    expect(await oneTurn(there)).toMatchObject({ type: "ended", end: { kind: "completed" } });
    expect(seen).toEqual([
      ".espalier\n.git\n.gitignore\na.txt\ngone.txt\nhalf.txt\n",
      "changed\n",
      "start\n",
    ]);
    expect(lab.git("status", "--porcelain", "-uall")).toBe(
      " M a.txt\n D gone.txt\n?? deep/new.sh\n?? half.txt",
    );
    expect([lab.read("a.txt"), lab.has("made.log"), lab.read("private.log")]).toEqual([
      "changed\nagain\n",
      false,
      "stays here\n",
    ]);
    expect(
      execFileSync("stat", ["-c", "%a", join(lab.root, "deep/new.sh")], { encoding: "utf8" }).trim(),
    ).toBe("755");
    expect(lab.git("for-each-ref", "refs/espalier/came")).toBe("");
  });

  it("[FL18] is that of a repository that names its objects by SHA-256 as well", async () => {
    using lab = openGitLab({ "a.txt": "one\n" }, "sha256");
    const agent = busy([cwd => writeFileSync(join(cwd, "made.txt"), "there\n")]);
    await using there = await journey(engine(), lab, agent);
    expect(await oneTurn(there)).toMatchObject({ type: "ended", end: { kind: "completed" } });
    expect(lab.read("made.txt")).toBe("there\n");
  });

  it("[FL16] takes each turn's work in before its end is told", async () => {
    using lab = openGitLab();
    const agent = busy([
      cwd => writeFileSync(join(cwd, "first.txt"), "1\n"),
      cwd => writeFileSync(join(cwd, "first.txt"), "2\n"),
    ]);
    await using there = await journey(engine(), lab, agent);
    must(await there.fleet.submit(order({ agent: "busy", cwd: lab.root })));
    const found: string[] = [];
    for await (const { event } of there.fleet.follow("tokenx/1", 1)) {
      if (event.type !== "ended") continue;
      found.push(lab.read("first.txt"));
      if (found.length === 1) await there.fleet.tell("tokenx/1", { type: "turn", turn: 2, text: "on" });
      else await there.fleet.tell("tokenx/1", { type: "end" });
    }
    expect(found).toEqual(["1\n", "2\n"]);
  });

  it("[TR1] brings files of the task there and back, and no value of the environment", async () => {
    using lab = openGitLab();
    const [lessons, context] = [lab.place("T1.1-1.md"), lab.place("T1.1-1.context.md")];
    writeFileSync(context, "read this\n");
    let heard: unknown;
    const agent = busy([
      (cwd, env) => {
        heard = [env, readFileSync(env["ESPALIER_CONTEXT"] ?? "", "utf8")];
        writeFileSync(join(cwd, ".espalier/files/T1.1-1.md"), "a lesson\n");
        writeFileSync(join(cwd, ".espalier/files/other.md"), "asked for by nobody\n");
      },
    ]);
    await using there = await journey(engine(), lab, agent);
    const env = { PATH: "/secret", API_KEY: "sk-1", ESPALIER_TASK: "T1.1", ESPALIER_CONTEXT: context };
    const end = await oneTurn(there, {
      env,
      writable: [lessons],
      message: `${lab.root}/TASKS.md: write to ${lessons}`,
    });
    expect(end).toMatchObject({ end: { finalMessage: "TASKS.md: write to .espalier/files/T1.1-1.md" } });
    expect(heard).toEqual([
      {
        PATH: "/bin",
        ESPALIER_TASK: "T1.1",
        ESPALIER_CONTEXT: expect.stringContaining("/.espalier/files/"),
      },
      "read this\n",
    ]);
    expect(readFileSync(lessons, "utf8")).toBe("a lesson\n");
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  it("[TR8] of a project below the top of its repository is done in its folder, and comes whole", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "sub/pro ject/b.txt": "two\n" });
    const lessons = lab.place("T1.1-1.md");
    const seen: string[] = [];
    const agent = busy([
      (cwd, { ESPALIER_LESSONS: to = "" }) => {
        seen.push(execFileSync("ls", ["-A", ".", "../.."], { cwd, encoding: "utf8" }));
        writeFileSync(join(cwd, "b.txt"), "two and more\n");
        writeFileSync(join(cwd, "../../a.txt"), "one and more\n");
        writeFileSync(to, "a lesson\n");
      },
    ]);
    await using there = await journey(engine(), lab, agent, undefined, "sub/pro ject");
    const cwd = join(lab.root, "sub/pro ject");
    const end = await oneTurn(there, {
      cwd,
      env: { ESPALIER_LESSONS: lessons },
      writable: [lessons],
      message: `${cwd}/TASKS.md, ${lab.root}/a.txt, ${lessons}`,
    });
    expect(end).toMatchObject({
      end: { kind: "completed", finalMessage: "TASKS.md, ../../a.txt, ../../.espalier/files/T1.1-1.md" },
    });
    expect(seen).toEqual([".:\nb.txt\n\n../..:\n.espalier\n.git\na.txt\nsub\n"]);
    expect([lab.read("a.txt"), lab.read("sub/pro ject/b.txt")]).toEqual(["one and more\n", "two and more\n"]);
    expect(readFileSync(lessons, "utf8")).toBe("a lesson\n");
  });

  it("[TR8] is refused where a link stands in the place of the project's folder", async () => {
    using lab = openGitLab({ "sub/b.txt": "two\n" });
    let begun = 0;
    await using there = await journey(engine(), lab, busy([() => void begun++]), undefined, "sub");
    rmSync(join(lab.root, "sub"), { recursive: true });
    symlinkSync("/tmp", join(lab.root, "sub"));
    const end = await oneTurn(there, { cwd: join(lab.root, "sub") });
    expect(end).toMatchObject({ failure: { message: "the order's work has no folder sub" } });
    expect(begun).toBe(0);
  });

  it("[TR2] is kept and not taken where the same file was changed here meanwhile", async () => {
    using lab = openGitLab();
    const agent = busy([
      cwd => {
        writeFileSync(join(cwd, "a.txt"), "theirs\n");
        writeFileSync(join(cwd, "b.txt"), "theirs\n");
        // A person is at work in the same checkout.
        lab.write("a.txt", "mine\n");
      },
    ]);
    await using there = await journey(engine(), lab, agent);
    expect(reasonOf(await oneTurn(there))).toContain("it is kept in refs/espalier/late/");
    expect([lab.read("a.txt"), lab.has("b.txt")]).toEqual(["mine\n", false]);
    const [ref = ""] = lab.git("for-each-ref", "--format=%(refname)", "refs/espalier/late").split("\n");
    expect(lab.git("show", `${ref}:work/b.txt`)).toBe("theirs");
  });

  it("[TR3] is refused where it is not on top of what was sent", async () => {
    using lab = openGitLab();
    const agent = busy([cwd => writeFileSync(join(cwd, "b.txt"), "b\n")]);
    await using there = await journey(engine(), lab, agent, async (pool, url, first) => {
      // A machine that lies: what it hands in is a commit of another place.
      const header = `http.extraHeader=Authorization: Bearer machine:${pool}:m1`;
      const place = `${url}/v1/git/${first}/tokenx%2F1`;
      await run("git", ["-c", header, "push", "-q", place, "HEAD:refs/heads/result-1"], { cwd: lab.root });
      return undefined;
    });
    expect(reasonOf(await oneTurn(there))).toContain("not on top of what was sent");
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  it("[TR4] is refused where a repository lies hidden in it", async () => {
    using lab = openGitLab();
    const agent = busy([
      cwd => {
        const sub = join(cwd, "sub");
        execFileSync("git", ["init", "-q", sub]);
        execFileSync(
          "git",
          ["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "x"],
          {
            cwd: sub,
          },
        );
      },
    ]);
    await using there = await journey(engine(), lab, agent);
    expect(reasonOf(await oneTurn(there))).toContain("sub is a repository of its own");
  });

  it.each([
    ["en", "lib is a repository of its own"],
    ["ko", "lib는 별도의 저장소라서"],
  ] as const)(
    "[TR4] is refused where something was written into a submodule, which is empty there (%s)",
    async (locale, said) => {
      using lab = openGitLab();
      lab.git("update-index", "--add", "--cacheinfo", `160000,${lab.git("rev-parse", "HEAD")},lib`);
      lab.git("commit", "-q", "-m", "a submodule");
      mkdirSync(join(lab.root, "lib"));
      const agent = busy([cwd => writeFileSync(join(cwd, "lib", "new.txt"), "x\n")]);
      await using there = await journey(engine(), lab, agent, undefined, undefined, locale);
      expect(reasonOf(await oneTurn(there))).toContain(said);
      expect(lab.has("lib/new.txt")).toBe(false);
    },
  );

  it("takes other work in beside a submodule as it was", async () => {
    using lab = openGitLab();
    lab.git("update-index", "--add", "--cacheinfo", `160000,${lab.git("rev-parse", "HEAD")},lib`);
    lab.git("commit", "-q", "-m", "a submodule");
    mkdirSync(join(lab.root, "lib"));
    const agent = busy([cwd => writeFileSync(join(cwd, "b.txt"), "b\n")]);
    await using there = await journey(engine(), lab, agent);
    expect(await oneTurn(there)).toMatchObject({ end: { kind: "completed" } });
    expect([lab.read("b.txt"), lab.git("status", "--porcelain")]).toEqual(["b\n", "?? b.txt"]);
  });

  it("[TR5] starts nothing that an agent has written into its folder", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const trap = lab.place("sprung");
    const agent = busy([
      cwd => {
        const git = (...args: string[]) => execFileSync("git", args, { cwd });
        git("config", "filter.x.clean", `touch ${trap}; cat`);
        git("config", "core.fsmonitor", `touch ${trap}`);
        mkdirSync(join(cwd, ".git/hooks"), { recursive: true });
        writeFileSync(join(cwd, ".git/hooks/post-index-change"), `#!/bin/sh\ntouch ${trap}\n`, {
          mode: 0o755,
        });
        writeFileSync(join(cwd, ".gitattributes"), "* filter=x\n");
        writeFileSync(join(cwd, "b.txt"), "b\n");
      },
    ]);
    await using there = await journey(engine(), lab, agent);
    expect(await oneTurn(there)).toMatchObject({ end: { kind: "completed" } });
    expect([lab.has(trap), lab.read("b.txt")]).toEqual([false, "b\n"]);
  });
});
