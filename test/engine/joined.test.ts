import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { WorkspaceRules } from "../../src/engine/workspaces/index.ts";
import { reasonText } from "../../src/text/index.ts";
import { saidBy } from "../reasons.ts";
import { openGitLab } from "../vcs/lab.ts";
import { SHELL_OK } from "./bench.ts";
import type { Part } from "./puppets.ts";
import { isOf, openSite, type Site } from "./site.ts";

describe("lines beside lines", () => {
  const append = (part: Part, line: string) => appendFileSync(join(part.request.cwd, "log.md"), line);

  it("[E62] are joined and told, where the task is proved, without another turn", async () => {
    const shell = async () => SHELL_OK;
    using site = await openSite({ shell, engine: { verify: "true" } });
    const end = site.bench.start();
    const { puppets } = site.bench;
    const parts = [await puppets.next("T1.1"), await puppets.next("T1.2"), await puppets.next("T1.3")];
    for (const [n, part] of parts.entries()) append(part, `- task ${n + 1}\n`);
    for (const [n, part] of parts.entries()) {
      site.done(part);
      await site.bench.event(isOf("completed", `T1.${n + 1}`));
    }
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.landed("log.md")).toBe("# Log\n- task 1\n- task 2\n- task 3");
    expect(puppets.turns).toBe(3);
    const joined = site.bench.events.filter(({ type }) => type === "joined");
    expect(joined).toEqual([
      { type: "joined", task: "T1.2", files: ["log.md"], others: ["T1.1"] },
      { type: "joined", task: "T1.3", files: ["log.md"], others: ["T1.2", "T1.1"] },
    ]);
    expect(site.bench.changes.flatMap(({ events = [] }) => events.map(({ event }) => event.type))).toContain(
      "joined",
    );
  });

  it("[E62] that fail together are an agent's, told why", async () => {
    let failing = 0;
    const shell = async ({ cwd }: { cwd: string }) => {
      const lines = readFileSync(join(cwd, "log.md"), "utf8").split("\n").length;
      failing += lines > 3 ? 1 : 0;
      return lines > 3 && failing === 1 ? { ...SHELL_OK, exitCode: 1, tail: "two entries" } : SHELL_OK;
    };
    using site = await openSite({ shell, engine: { verify: "check" } });
    const end = site.bench.start();
    const { puppets } = site.bench;
    const [one, two] = [await puppets.next("T1.1"), await puppets.next("T1.2")];
    append(one, "- task 1\n");
    append(two, "- task 2\n");
    site.done(one);
    await site.bench.event(isOf("completed", "T1.1"));
    site.done(two);
    const resolver = await puppets.next("T1.2");
    expect(resolver.prompt).toContain("two entries");
    expect(site.read(resolver, "log.md")).toContain("- task 1\n=======\n- task 2\n");
    expect(site.bench.run.byId.get("T1.2")?.retries).toBe(0);
    await site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    await end;
  });

  it("[E62] are proved by the checks of the tasks on both sides, each command once", async () => {
    const tasks = ["T1.1", "T1.2", "T1.3"].map(
      id =>
        `### [ ] ${id}: a\n- verify: check ${id}\n- test: ${id === "T1.3" ? "check T1.1" : "false"}\n- tdd: off\n`,
    );
    const ran: string[] = [];
    let refused = "";
    const shell = async ({ cwd, command }: { cwd: string; command: string }) => {
      const entries = readFileSync(join(cwd, "log.md"), "utf8").split("\n").length - 2;
      ran.push(`${command} with ${entries}`);
      return command === refused && entries > 1
        ? { ...SHELL_OK, exitCode: 1, tail: "only one entry" }
        : SHELL_OK;
    };
    using site = await openSite({ shell, tasks: tasks.join("\n") });
    const end = site.bench.start();
    const { puppets } = site.bench;
    const parts = [
      await puppets.next("T1.1"),
      await puppets.next("T1.2"),
      await puppets.next("T1.3"),
    ] as const;
    for (const part of parts) append(part, `- ${part.request.task}\n`);
    site.done(parts[0]);
    await site.bench.event(isOf("completed", "T1.1"));
    site.done(parts[1]);
    await site.bench.event(isOf("completed", "T1.2"));
    expect(ran).toEqual(["check T1.1 with 1", "check T1.2 with 1", "check T1.2 with 2", "check T1.1 with 2"]);
    refused = "check T1.1";
    site.done(parts[2]);
    const resolver = await puppets.next("T1.3");
    expect(resolver.prompt).toContain("what proves T1.1: verify exit 1: only one entry");
    expect(site.read(resolver, "log.md")).toContain("- T1.2\n=======\n- T1.3\n");
    await site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    await end;
  });

  it("[E62] of a file that a setting names need no proof, others of no history do", async () => {
    using site = await openSite({ lists: ["*.txt"] });
    const end = site.bench.start();
    const { puppets } = site.bench;
    const [one, two] = [await puppets.next("T1.1"), await puppets.next("T1.2")];
    for (const part of [one, two]) {
      writeFileSync(join(part.request.cwd, "new.txt"), `by ${part.request.task}\n`);
      writeFileSync(join(part.request.cwd, "new.md"), `by ${part.request.task}\n`);
      site.done(part);
      await site.bench.event(
        event => isOf("completed", part.request.task)(event) || isOf("conflict", part.request.task)(event),
      );
    }
    const resolver = await puppets.next("T1.2");
    expect(site.read(resolver, "new.txt")).toBe("by T1.1\nby T1.2\n");
    expect(site.read(resolver, "new.md")).toContain("<<<<<<< ");
    await site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    await end;
  });
});

describe("files that a tool makes of others", () => {
  /** Sums up what is wanted, as a package manager's lock file does. */
  const TOOL = "sort -r wants.txt > wants.lock";
  const WANTS = Array.from({ length: 20 }, (_, line) => `want ${line}\n`);
  const sorted = (wants: readonly string[]) => [...wants].sort().reverse().join("");
  const generated = { "**/wants.lock": "lock", "wants.lock": "lock" };
  const make = (cwd: string) => void execFileSync("sh", ["-c", TOOL], { cwd });

  /** Two tasks that each want one thing more, at either end of the list, and lock what they have. */
  async function twoWants(
    run: NonNullable<WorkspaceRules["run"]>,
    also: Readonly<Record<string, string>> = {},
  ) {
    const lab = openGitLab({
      "wants.txt": WANTS.join(""),
      "wants.lock": sorted(WANTS),
      "log.md": "# Log\n",
      ...also,
    });
    const site = await openSite({ generated, run, lab });
    const end = site.bench.start();
    const { puppets } = site.bench;
    const parts = [await puppets.next("T1.1"), await puppets.next("T1.2")] as const;
    for (const [at, { request }] of parts.entries()) {
      const wants = at === 0 ? ["one\n", ...WANTS] : [...WANTS, "two\n"];
      writeFileSync(join(request.cwd, "wants.txt"), wants.join(""));
      make(request.cwd);
    }
    return { site, end, parts };
  }

  /** The first lands, the second is in conflict with it; who resolves that. */
  async function clash(site: Site, [one, two]: readonly [Part, Part]): Promise<Part> {
    site.done(one);
    await site.bench.event(isOf("completed", "T1.1"));
    site.done(two);
    await site.bench.event(isOf("conflict", "T1.2"));
    return site.bench.puppets.next("T1.2");
  }

  const MADE: NonNullable<WorkspaceRules["run"]> = async (command, cwd) => {
    expect(command).toBe("lock");
    make(cwd);
    return undefined;
  };

  it("[V49] are made anew of both sides, and nobody is asked", async () => {
    const { site, end, parts } = await twoWants(MADE);
    using _ = site;
    for (const part of parts) {
      site.done(part);
      await site.bench.event(isOf("completed", part.request.task));
    }
    const wants = ["one\n", ...WANTS, "two\n"];
    expect(site.landed("wants.txt")).toBe(wants.join("").trim());
    expect(site.landed("wants.lock")).toBe(sorted(wants).trim());
    expect(site.told).toMatchObject([
      { code: "GENERATED", reason: { args: { path: "wants.lock", command: "lock" } } },
    ]);
    expect(site.lab.git("branch", "--list", "espalier/rescue/*")).toBe("");
    expect(site.bench.events.filter(({ type }) => type === "conflict")).toEqual([]);
    await site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    await end;
  });

  it.each([
    [
      "the tool fails, which is told",
      async () => saidBy("command", "no network"),
      ["wants.lock is in conflict, and lock could not make it anew: no network"],
    ],
    [
      "the tool leaves no file",
      async (_: string, cwd: string) => {
        rmSync(join(cwd, "wants.lock"));
        return undefined;
      },
      [],
    ],
    [
      "the tool leaves a link",
      async (_: string, cwd: string) => {
        rmSync(join(cwd, "wants.lock"));
        symlinkSync("/etc/passwd", join(cwd, "wants.lock"));
        return undefined;
      },
      [],
    ],
  ])("[V49] stay in conflict where %s", async (_what, run, told) => {
    const { site, end, parts } = await twoWants(run);
    using _ = site;
    const resolver = await clash(site, parts);
    expect(site.read(resolver, "wants.lock")).toContain("<<<<<<< ");
    expect(site.read(resolver, "wants.txt")).toBe(["one\n", ...WANTS, "two\n"].join(""));
    expect(site.told.map(({ reason }) => reasonText(reason, "en"))).toEqual(told);
    await site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    await end;
  });

  it("[V49] stay in conflict beside what is somebody's text, and no tool is started", async () => {
    const { site, end, parts } = await twoWants(async () => saidBy("command", "started"));
    using _ = site;
    for (const { request } of parts) writeFileSync(join(request.cwd, "log.md"), `# ${request.task}\n`);
    const resolver = await clash(site, parts);
    expect(site.read(resolver, "wants.lock")).toContain("<<<<<<< ");
    expect(site.told).toEqual([]);
    await site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
    await end;
  });

  it("[V49] are in nobody's way when the run is stopped meanwhile", async () => {
    const { site, end, parts } = await twoWants(async (_command, _cwd, stop) => {
      const stopped = new Promise(resolve => stop.cancel.addEventListener("abort", resolve));
      void site.bench.engine.send({ type: "stop", by: "test", how: "soft" });
      await stopped;
      return saidBy("command", "ended");
    });
    using _ = site;
    site.done(parts[0]);
    await site.bench.event(isOf("completed", "T1.1"));
    site.done(parts[1]);
    await end;
    expect(site.bench.run.byId.get("T1.2")?.retries).toBe(0);
    expect(site.bench.events.filter(({ type }) => type === "conflict")).toEqual([]);
  });
});
