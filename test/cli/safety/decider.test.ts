import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProject } from "../../../src/host/project/project.ts";
import { readRun } from "../../../src/host/project/reader.ts";
import { itWhole, sampleOf } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";

const TASKS = `# Attack
## Phase 1: one
### [ ] T1.1: attacks
- run: sh attack.sh
### [ ] T1.2: is attacked
- depends_on: [T1.1]
- run: echo ran > ran.txt
## Phase 2: two
### [ ] T2.1: comes later
- run: true
`;

/** A run whose first task executes a script; \`[[…]]\` in it is a call of the command line. */
function labOf(script: string, files: Readonly<Record<string, string>> = {}): Lab {
  const lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "maxAttempts: 1\n", ...files });
  const home = `HOME='${lab.home}' XDG_STATE_HOME='${lab.home}/state'`;
  const call = (args: string) => `env ${home} ${lab.line(args.split(" "))}`;
  lab.write(
    "attack.sh",
    script.replaceAll(/\[\[(.+?)\]\]/g, (_, args: string) => call(args)),
  );
  return lab;
}

const stored = (lab: Lab) => readRun(findProject(lab.root))?.stored;
const logOf = (lab: Lab) => lab.read(".espalier/orchestrate.log");
const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0;

/** Writes to the control socket itself, and answers a challenge with a process that it is not. */
const RAW = `
import json, os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(".espalier/control.sock")
s.sendall((sys.argv[1] + "\\n").encode())
answer = s.makefile().readline()
if "show" in answer:
    run = json.load(open(".espalier/holder.json"))["pid"]
    older = int(open(f"/proc/{run}/stat").read().rsplit(")", 1)[1].split()[1])
    s.sendall((json.dumps({"pid": [os.getpid(), older, run][int(sys.argv[2])]}) + "\\n").encode())
    answer = s.makefile().readline()
print(answer)
`;

describe.concurrent("an agent that decides as if it were a person", () => {
  const ways = [
    ["by itself", "[[ARGS]] > said.txt 2>&1\necho exit $? >> said.txt"],
    ["without environment", 'env -i PATH="$PATH" [[ARGS]] > said.txt 2>&1\necho exit $? >> said.txt'],
    [
      "as an orphan in a session of its own",
      "(env -i PATH=\"$PATH\" setsid sh -c 'sleep 0.3; [[ARGS]] > out.txt 2>&1; echo exit $? >> out.txt; mv out.txt said.txt' &)\n" +
        "until test -s said.txt; do sleep 0.1; done",
    ],
  ] as const;
  const acts = ["task done T1.2", "task skip T1.2", "phase force 2", "stop --now"];
  const cases = ways.flatMap(([way, script], at) =>
    // Each act in the plainest way, and each way with one act.
    acts.filter((_, act) => at === 0 || act === 0).map(act => [act, way, script] as const),
  );

  it.each(sampleOf(cases, 0, 3, 5))(
    "[E44] is refused %s %s, and the log says who it was",
    async (act, way, script) => {
      const inner = way.includes("orphan");
      const text = script.replace("[[ARGS]]", inner ? "sh act.sh" : `[[${act}]]`);
      await using lab = labOf(text);
      if (inner) lab.write("act.sh", `XDG_STATE_HOME='${lab.home}/state' ${lab.line(act.split(" "))}`);
      const run = await lab.cli(["run", "--yes"]);
      expect(lab.read("said.txt")).toContain("NOT_A_PERSON");
      expect(lab.read("said.txt")).toContain("exit 5");
      expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.any(String)]);
      expect(lab.read("ran.txt")).toBe("ran\n");
      expect(stored(lab)?.run.forced).toEqual([]);
      expect(logOf(lab)).toContain("NOT_A_PERSON");
      expect(logOf(lab)).toContain(inner ? "nothing tells whoever asked" : "within an attempt of T1.1");
      expect(logOf(lab)).not.toContain("[PERSON]");
    },
  );

  it.runIf(HAS_PYTHON).each([
    ["itself", 0],
    ["a process that is older than the run", 1],
    ["the run", 2],
  ])("[E44] is refused what it writes to the socket by hand, claiming to be %s", async (_, claim) => {
    const request = JSON.stringify({ method: "act", action: "done", task: "T1.2", by: "the boss" });
    await using lab = labOf(`python3 raw.py '${request}' ${claim} > said.txt`, { "raw.py": RAW });
    const run = await lab.cli(["run", "--yes"]);
    expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(lab.read("said.txt"))).toMatchObject({ ok: false, decider: { kind: "unproven" } });
    expect(lab.read("ran.txt")).toBe("ran\n");
    expect(logOf(lab)).not.toContain("[PERSON]");
  });

  it.each([
    [
      "approves what its own scratch project wants",
      "mkdir '$HOME_OF/made'; cp '$HOME_OF/found/TASKS.md' '$HOME_OF/made'",
      "made",
      0,
    ],
    ["approves nothing in a project that it found and nobody has run yet", "true", "found", 5],
  ] as const)("[E42] %s", async (_, before, folder, code) => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "maxAttempts: 1\n" });
    const found = join(lab.home, "found");
    mkdirSync(found);
    writeFileSync(join(found, "TASKS.md"), "# F\n## Phase 1: p\n### [ ] T1.1: a\n- run: true\n");
    const home = `env HOME='${lab.home}' XDG_STATE_HOME='${lab.home}/state'`;
    lab.write(
      "attack.sh",
      `${before.replaceAll("$HOME_OF", lab.home)}
(cd '${lab.home}/${folder}' && ${home} ${lab.line(["run", "--yes"])}) > said.txt 2>&1
echo exit $? >> said.txt
`,
    );
    const run = await lab.cli(["run", "--yes"]);
    expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.any(String)]);
    expect(lab.read("said.txt")).toContain(`exit ${code}`);
    expect(lab.read("said.txt").includes("NOT_A_PERSON")).toBe(code !== 0);
  });

  it("[E54] is not believed where it put a socket of its own in the place of the run's", async () => {
    await using lab = labOf("until test -e go; do sleep 0.05; done");
    const run = lab.start(["run", "--yes"]);
    await run.seen("[DISPATCH] T1.1");
    const socket = lab.path(".espalier/control.sock");
    rmSync(socket);
    const fake = createServer(client =>
      client.on("data", () => client.end('{"ok":true,"message":"of course"}\n')),
    );
    await new Promise<void>(resolve => fake.listen(socket, resolve));
    const asked = await lab.cli(["task", "skip", "T1.2"]);
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([
      4,
      "",
      expect.stringContaining("SOCKET_REPLACED"),
    ]);
    fake.close();
    lab.write("go", "");
    expect((await run.ended).code).toBe(0);
  });

  itWhole("[E44] while a person decides, from a script as well", async () => {
    await using lab = labOf("until test -e go; do sleep 0.05; done");
    const run = lab.start(["run", "--yes"]);
    await run.seen("[DISPATCH] T1.1");
    expect(await lab.cli(["task", "skip", "T1.2"])).toMatchObject({ code: 0 });
    lab.write("go", "");
    expect((await run.ended).code).toBe(0);
    expect(existsSync(lab.path("ran.txt"))).toBe(false);
    expect(logOf(lab)).toContain("[PERSON]");
    expect((await lab.cli(["task", "retry", "T1.2"])).code).toBe(0);
  });
});
