import { describe, expect, it } from "vitest";
import { PAGE, phase } from "../../context/shared/lab.ts";
import { openLab } from "../lab.ts";
import { ackOf, context } from "./ask.ts";

const team = async (lab: Parameters<typeof context>[0], more: readonly string[] = []) =>
  JSON.parse((await context(lab, ["teammates", "--json", ...more])).stdout);

describe("a team on the command line", () => {
  it("is brought up to date by the fewest tokens that prove themselves", async () => {
    await using lab = openLab({ "a.md": PAGE });
    await context(lab, ["publish", "GC", "a.md"]);
    const first = await context(lab, ["update", "GC", "--to", "back"]);
    expect(first.stdout).toMatch(/^\[CONTEXT-UPDATE\] GC-v1 [0-9a-f]{6}\n\n## Full\n# Bakery site\n/);
    expect(first.stderr).toContain("v1 to back as full");
    expect(first.stderr).toContain("espalier context ack back");
    expect(await team(lab)).toMatchObject([{ teammate: "back", standing: "new", holds: null, onItsWay: 1 }]);
    const acked = await context(lab, ["ack", "back"], { stdin: `Fine.\n${ackOf(1, "0/0")}` });
    expect([acked.code, acked.stdout]).toEqual([0, expect.stringContaining("confirmed")]);
    lab.write("a.md", phase(1));
    const published = await context(lab, ["publish"]);
    expect(published.stdout).toContain("concerns back\nbring it: espalier context update GC --to back\n");
    expect(await team(lab)).toMatchObject([{ standing: "behind", holds: 1, current: 2, onItsWay: null }]);
    const delta = await context(lab, ["update", "GC", "--to", "back"]);
    expect(delta.stdout).toContain("- CHANGED §Status: Phase 2: IN_PROGRESS → STEP 1\n");
    expect(delta.stderr).toContain("v1 → v2 to back as delta");
    const again = await context(lab, ["update", "GC", "--to", "back"]);
    expect(again.stdout).toBe(delta.stdout);
    await context(lab, ["ack"], { stdin: ackOf(2, "1/1") });
    expect(await team(lab)).toMatchObject([{ standing: "current", holds: 2 }]);
    const nothing = await context(lab, ["update", "GC", "--to", "back"]);
    expect([nothing.code, nothing.stdout, nothing.stderr]).toEqual([
      0,
      "",
      "[SYNC] GC: back holds v2 already\n",
    ]);
  });

  it("is explained: who holds what, by which proof, since when, what waits and why", async () => {
    await using lab = openLab({ "a.md": PAGE });
    await context(lab, ["publish", "GC", "a.md"]);
    await context(lab, ["update", "GC", "--to", "back"]);
    await context(lab, ["ack", "back"], { stdin: ackOf(1, "0/0") });
    lab.write("a.md", phase(1));
    await context(lab, ["publish"]);
    const { stdout } = await context(lab, []);
    const [head, mate, ...more] = stdout.trimEnd().split("\n");
    expect(head).toMatch(/^GC {2}v2 [0-9a-f]{12}, by a\.md, \d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(mate).toMatch(/^ {2}back {2}holds v1 \(word\) since \d{4}.*; v2 waits: bring it: espalier/);
    expect(mate).toMatch(/context update GC --to back; (\d+) tokens in 1 message, the last \1$/);
    expect(more).toEqual([]);
    const told = JSON.parse((await context(lab, ["--json"])).stdout);
    expect(told).toMatchObject([
      {
        label: "GC",
        version: 2,
        teammates: [{ by: "word", holds: 1, waits: { version: 2, why: "fetches" } }],
      },
    ]);
    expect((await context(lab, ["teammates"])).stdout).toMatch(/proof.*\n.* v1 +word +v2/);
    await context(lab, ["update", "GC", "--to", "back"]);
    await context(lab, ["ack", "back"], { stdin: ackOf(2, "1/1", "PAUSE") });
    expect((await context(lab, [])).stdout).toMatch(/holds v2 \(word\) since [^;]*; asks for a person; /);
    const unknown = await context(lab, ["teammate"]);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("unknown command 'teammate'"),
    ]);
  });

  it("gets everything again when a context is lost, or in a new session", async () => {
    await using lab = openLab({ "a.md": PAGE });
    await context(lab, ["publish", "GC", "a.md"]);
    await context(lab, ["update", "GC", "--to", "back"]);
    await context(lab, ["ack", "back"], { stdin: ackOf(1, "0/0") });
    const lost = await context(lab, ["update", "GC", "--to", "back", "--lost"]);
    expect(lost.stdout).toContain("## Full");
    expect(lost.stderr).toContain("its context was lost");
    await context(lab, ["ack", "back"], { stdin: ackOf(1, "0/0") });
    const anew = await context(lab, ["update", "GC", "--to", "back", "--session", "s2", "--json"]);
    expect(JSON.parse(anew.stdout)).toMatchObject({
      message: { form: "full", why: "initial-spawn", withTask: true },
    });
    const stale = await context(lab, ["ack", "back", "--session", "cli"], { stdin: ackOf(1, "0/0") });
    expect([stale.code, stale.stdout]).toEqual([1, expect.stringContaining("another session")]);
  });

  it("is told of only where a change concerns it, and asked by what proves most", async () => {
    await using lab = openLab({ "a.md": PAGE });
    await context(lab, ["publish", "GC", "a.md"]);
    await context(lab, ["update", "GC", "--to", "docs", "--interests", "Blockers", "--proof", "hash"]);
    await context(lab, ["update", "GC", "--to", "back", "--role", "baker"]);
    const unproven = await context(lab, ["ack", "docs"], { stdin: ackOf(1, "0/0") });
    expect([unproven.code, unproven.stdout]).toEqual([1, expect.stringContaining("proves nothing")]);
    const { hash } = JSON.parse((await context(lab, ["show", "GC", "--json"])).stdout);
    const proven = ackOf(1, "0/0").replace("GC-v1", `GC-v1 ${hash}`);
    expect((await context(lab, ["ack", "docs"], { stdin: proven })).code).toBe(0);
    await context(lab, ["ack", "back"], { stdin: ackOf(1, "0/0") });
    lab.write("a.md", phase(1));
    const told = (await context(lab, ["publish"])).stdout;
    expect(told).toContain("concerns back\nat their next task: docs\n");
    lab.write("a.md", phase(2));
    const named = (await context(lab, ["publish", "--impact", "docs", "--action", "read D-2"])).stdout;
    expect(named).toContain("concerns docs");
    const message = await context(lab, ["update", "GC", "--to", "docs", "--json"]);
    expect(JSON.parse(message.stdout).message.text).toContain("Required actions: read D-2");
  });

  it("answers a request, a pause and a farewell", async () => {
    await using lab = openLab({ "a.md": PAGE });
    await context(lab, ["publish", "GC", "a.md"]);
    await context(lab, ["update", "GC", "--to", "back"]);
    await context(lab, ["ack", "back"], { stdin: ackOf(1, "0/0", "PAUSE") });
    expect(await team(lab)).toMatchObject([{ paused: true }]);
    expect((await context(lab, ["teammates"])).stdout).toContain("current, asks for a person");
    const resumed = await context(lab, ["resume", "back"]);
    expect([resumed.code, resumed.stdout]).toEqual([
      0,
      expect.stringContaining("IP-007 (plan approval or rejection) for back\n"),
    ]);
    expect(resumed.stdout.endsWith("\nback goes on\n")).toBe(true);
    const slip = await context(lab, ["log", "CG"]);
    expect([slip.code, slip.stderr]).toEqual([2, expect.stringMatching(/NO_SUCH_LABEL: .*CG\n.*known: GC/)]);
    expect(await team(lab)).toMatchObject([{ paused: false }]);
    const asked = await context(lab, ["ack", "back"], {
      stdin: '[CONTEXT-REQUEST] GC: need ["Status"] (unclear)\n',
    });
    expect([asked.code, asked.stdout]).toEqual([0, expect.stringContaining("§Status")]);
    const restated = await context(lab, ["update", "GC", "--to", "back"]);
    expect(restated.stdout).toContain("- REPLACED §Status:");
    expect((await context(lab, ["leave", "back"])).stdout).toBe("[SYNC] GC: back left\n");
    expect((await context(lab, ["teammates"])).stdout).toBe("nobody is in the team yet\n");
    expect(await team(lab, ["--all"])).toMatchObject([{ teammate: "back", standing: "ended" }]);
    const gone = await context(lab, ["leave", "back"]);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining("NO_SUCH_TEAMMATE")]);
  });

  it("says what it cannot take: no answer, nobody's, everybody's, a stranger's, one of a version never sent", async () => {
    await using lab = openLab({ "a.md": PAGE });
    await context(lab, ["publish", "GC", "a.md"]);
    for (const name of ["back", "front"]) await context(lab, ["update", "GC", "--to", name]);
    const failed = async (stdin: string | Uint8Array, ...args: string[]) => {
      const { code, stdout, stderr } = await context(lab, ["ack", ...args], { stdin });
      return [code, stdout + stderr];
    };
    expect(await failed("hello\n", "back")).toEqual([2, expect.stringContaining("NO_ACK")]);
    expect(await failed(ackOf(1, "0/0"))).toEqual([2, expect.stringContaining("in the team: back, front")]);
    expect(await failed(ackOf(1, "0/0"), "who")).toEqual([1, expect.stringContaining("stranger")]);
    expect(await failed(ackOf(7, "1/1"), "back")).toEqual([1, expect.stringContaining("never sent")]);
    expect(await failed(ackOf(1, "4/3"), "back")).toEqual([1, expect.stringContaining("more than there is")]);
    expect(await failed("[ACK-UPDATE] XY-v1 received\n", "back")).toEqual([
      2,
      expect.stringContaining("NO_SUCH_LABEL"),
    ]);
    expect(await failed(new Uint8Array([0xff]), "back")).toEqual([
      2,
      expect.stringContaining("INPUT_NOT_UTF8"),
    ]);
    const named = await context(lab, ["update", "GC", "--to", "a, b"]);
    expect([named.code, named.stderr]).toEqual([1, expect.stringContaining("Not a teammate's name")]);
    const unknown = await context(lab, ["update", "GB", "--to", "back"]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("did you mean GC?")]);
  });

  it("marks who has not answered in time, in the table and for tools", async () => {
    await using lab = openLab({ "a.md": PAGE, "espalier.yaml": "context: { ackTimeout: 1ms }\n" });
    await context(lab, ["publish", "GC", "a.md"]);
    await context(lab, ["update", "GC", "--to", "back"]);
    expect(await team(lab)).toMatchObject([{ standing: "stale" }]);
    const { stdout } = await context(lab, ["teammates"]);
    expect(stdout.split("\n")[0]).toMatch(
      /^label +teammate +standing +holds +proof +current +on its way +tokens sent$/,
    );
    expect(stdout.split("\n")[1]).toMatch(/^GC +back +STALE +– +– +v1 +v1 +\d+$/);
  });
});

describe("what is shown of the context", () => {
  it("is the text of any kept version, byte for byte, or safe on a terminal", async () => {
    const odd = "\uFEFF# A\r\n\r\nred \u001b[31m text\u0000, no end";
    await using lab = openLab({ "a.md": odd });
    await context(lab, ["publish", "GC", "a.md"]);
    lab.write("a.md", PAGE);
    await context(lab, ["publish"]);
    expect((await context(lab, ["show", "GC@1"])).stdout).toBe(odd);
    expect((await context(lab, ["show", "GC@v2"])).stdout).toBe(PAGE);
    const shown = (await context(lab, ["show", "GC@1"], { tty: true })).stdout;
    expect(shown).not.toContain("\u001b[31m");
    expect(shown).toContain("red ");
    expect((await context(lab, ["show", "GC@9"])).stderr).toContain(
      "NO_SUCH_VERSION: there is no GC-v9; the newest is GC-v2",
    );
    expect((await context(lab, ["show", "XY"])).stderr).toContain("NO_SUCH_LABEL");
    expect((await context(lab, ["show"])).stdout).toMatch(/^GC-v2 +[0-9a-f]{12} +a\.md\n$/);
    expect(JSON.parse((await context(lab, ["show", "--json"])).stdout)).toMatchObject([
      { label: "GC", version: 2 },
    ]);
  });

  it("is no longer there when nobody needs it: the version says so", async () => {
    await using lab = openLab({ "a.md": phase(1), "espalier.yaml": "context: { keepVersions: 1 }\n" });
    for (const step of [1, 2, 3]) {
      lab.write("a.md", phase(step));
      await context(lab, ["publish", "GC", "a.md"]);
    }
    const gone = await context(lab, ["show", "GC@1"]);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining("NOT_KEPT")]);
  });

  it("is the log of everything, newest last, of one label, or as JSON", async () => {
    await using lab = openLab({ "a.md": PAGE, "b.md": "# B\n" });
    await context(lab, ["publish", "GC", "a.md"]);
    await context(lab, ["publish", "API", "b.md"]);
    await context(lab, ["update", "GC", "--to", "back"]);
    const lines = (await context(lab, ["log"])).stdout.trim().split("\n");
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\S+Z \[SYNC\] GC: v1 [0-9a-f]{12} by a\.md; now: nobody$/);
    expect(lines.at(-1)).toContain("v1 to back as full");
    expect((await context(lab, ["log", "API"])).stdout.trim().split("\n")).toHaveLength(1);
    expect((await context(lab, ["log", "--limit", "2"])).stdout.trim().split("\n")).toEqual(lines.slice(-2));
    const rows = JSON.parse((await context(lab, ["log", "--json"])).stdout);
    expect(rows.map(({ seq }: { seq: number }) => seq)).toEqual(lines.map((_, at) => at + 1));
    expect(rows[0].entry).toMatchObject({ type: "published", version: 1 });
  });

  it.each([["teammates"], ["log"], ["show", "GC"]])(
    "says that nothing was published yet: %s",
    async (...args) => {
      await using lab = openLab();
      const done = await context(lab, args);
      expect([done.code, done.stderr]).toEqual([2, expect.stringContaining("NO_CONTEXT")]);
    },
  );
});
