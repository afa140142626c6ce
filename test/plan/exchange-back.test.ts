import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tickBoxes } from "../../src/plan/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { itWhole } from "../sample.ts";
import {
  AT,
  BEADS,
  bytesOf,
  exported,
  ISSUES,
  imported,
  KIRO,
  MASTER,
  SOURCES,
  SPEC,
  textOf,
} from "./exchange.ts";
import { read } from "./reading.ts";

describe("a state taken back", () => {
  it.each(SOURCES)("[L87] of %s changes nothing where nothing changed", (_, source, path) => {
    const { changes, bytes, commands, ahead, unknown } = exported(source, path, imported(source, path).text);
    expect({ changes, commands, ahead, unknown }).toEqual({
      changes: [],
      commands: [],
      ahead: [],
      unknown: [],
    });
    expect(bytes === undefined ? source : textOf(bytes)).toBe(source);
  });

  /** A task file in which these origins are done as well. */
  function ticked(text: string, origins: readonly string[]): string {
    const { plan } = read(text);
    const ids = plan.tasks.flatMap(({ id, origin }) => (origins.includes(origin ?? "") ? [id] : []));
    return textOf(tickBoxes(bytesOf(text), plan, ids));
  }

  it("[L87] ticks boxes of spec-kit and Kiro, and nothing else", () => {
    const spec = exported(SPEC, "tasks.md", ticked(imported(SPEC, "tasks.md").text, ["spec-kit:T004"]));
    expect(textOf(spec.bytes)).toBe(SPEC.replace("[ ] T004", "[x] T004"));
    const path = ".kiro/specs/a/tasks.md";
    const kiro = exported(KIRO, path, ticked(imported(KIRO, path).text, ["kiro:1", "kiro:1.2"]));
    expect(textOf(kiro.bytes)).toBe(KIRO.replace("[ ] 1.", "[x] 1.").replace("[ ] 1.2", "[x] 1.2"));
  });

  it("[L87] sets the status in Task Master's JSON, and nothing else", () => {
    const text = ticked(imported(MASTER, "-").text, ["task-master:2.2"]).replace(
      "[ ] T1.2.1",
      "[skip] T1.2.1",
    );
    const { bytes, changes } = exported(MASTER, "-", text);
    expect(textOf(bytes)).toBe(MASTER.replace('"review"', '"done"').replace('"pending"', '"cancelled"'));
    expect(changes).toEqual([
      { id: "2.1", to: "left-out" },
      { id: "2.2", to: "done" },
    ]);
  });

  it("[L87] closes lines of beads with the moment, and nothing else", () => {
    const text = ticked(imported(BEADS, "-").text, ["beads:bd-1", "beads:bd-2"]);
    const { bytes } = exported(BEADS, "-", text);
    const [before, after] = [BEADS, textOf(bytes)].map(all => all.split("\n"));
    expect(
      after?.map((line, at) =>
        line === before?.[at] ? at : line.replace(before?.[at]?.slice(0, -1) ?? "", ""),
      ),
    ).toEqual([
      0,
      before?.[1]
        ?.replace('"in_progress"', '"closed"')
        .replace(/}$/, `,"updated_at":"${AT}","closed_at":"${AT}"}`),
      before?.[2]?.replace('"open"', '"closed"').replace(/}$/, `,"updated_at":"${AT}","closed_at":"${AT}"}`),
      3,
      4,
      5,
    ]);
  });

  it("[L181] what was put off or given up there and is done here is done there", () => {
    const later = BEADS.replace('"closed"', '"pinned"');
    const beads = imported(later, "-").text.replaceAll("[skip]", "[x]");
    const { changes, bytes, ahead } = exported(later, "-", beads);
    expect(changes).toEqual(
      [...later.matchAll(/"id":"([^"]+)"[^\n]*"(?:pinned|deferred)"/g)].map(([, id]) => ({ id, to: "done" })),
    );
    expect(ahead).toEqual([]);
    expect(imported(textOf(bytes), "-").text).toBe(beads);
    const master = imported(MASTER, "-").text.replace("[skip]", "[x]");
    expect(textOf(exported(MASTER, "-", master).bytes)).toBe(MASTER.replace('"cancelled"', '"done"'));
    // What GitHub has closed is closed, whatever for.
    expect(exported(ISSUES, "-", imported(ISSUES, "-").text.replaceAll("[skip]", "[x]")).commands).toEqual(
      [],
    );
  });

  it("[L87] tells GitHub by commands that are words", () => {
    const text = ticked(imported(ISSUES, "-").text, ["github:12"]).replace("[ ] T1.4", "[skip] T1.4");
    const { bytes, commands } = exported(ISSUES, "-", text);
    expect(bytes).toBeUndefined();
    expect(commands).toEqual([
      ["gh", "issue", "close", "12", "--reason", "completed"],
      ["gh", "issue", "close", "13", "--reason", "not planned"],
    ]);
  });

  it("[L87] opens nothing again, and tells what it cannot say", () => {
    const ours = imported(SPEC, "tasks.md")
      .text.replace("[x] T1.1", "[ ] T1.1")
      .replace("[ ] T1.2", "[skip] T1.2");
    const { ahead, unsaid, unknown, changes, bytes } = exported(
      SPEC,
      "tasks.md",
      `${ours}\n### [x] T2.9: a\n- origin: spec-kit:T900\n`,
    );
    expect({ ahead, unsaid, unknown, changes }).toEqual({
      ahead: ["T001"],
      unsaid: ["T002"],
      unknown: ["spec-kit:T900"],
      changes: [],
    });
    expect(textOf(bytes)).toBe(SPEC);
  });

  it("[L87] holds a task that became several for done when all of them are", () => {
    const part = (id: string, box: string) => `### [${box}] ${id}: part\n- origin: github:12\n`;
    const of = (...boxes: readonly string[]) =>
      exported(ISSUES, "-", `# X\n${boxes.map((box, at) => part(`T1.${at + 1}`, box)).join("")}`).changes;
    expect(of("x", " ", "skip")).toEqual([]);
    expect(of("skip", "x")).toEqual([{ id: "12", to: "done" }]);
    expect(of("skip", "skip")).toEqual([{ id: "12", to: "left-out" }]);
  });

  it("[L87] gives a source back as it was, whatever it is, but for what became done", () => {
    const status = fc.constantFrom("pending", "in-progress", "review", "done", "deferred");
    const space = fc.constantFrom("", " ", "\n  ");
    fc.assert(
      fc.property(
        fc.array(fc.record({ status, space, extra: fc.jsonValue(), becomes: fc.boolean() }), {
          minLength: 1,
          maxLength: 8,
        }),
        given => {
          const line = (done: boolean) => (one: (typeof given)[number], at: number) =>
            `{"id":${one.space}${at + 1}, "x": ${JSON.stringify(one.extra)},${one.space}"title": "t", "status":${one.space}"${done && one.becomes ? "done" : one.status}"}`;
          const all = (done: boolean) => `{"tasks": [${given.map(line(done)).join(",\n")}]}`;
          const origins = given.flatMap(({ becomes }, at) => (becomes ? [`task-master:${at + 1}`] : []));
          const ours = imported(all(false), "-").text.replaceAll(
            /\[skip\] (T1\.(\d+))/g,
            (box, id, number) => (given[number - 1]?.becomes === true ? `[x] ${id}` : box),
          );
          const { bytes } = exported(all(false), "-", ticked(ours, origins));
          expect(textOf(bytes)).toBe(all(true));
        },
      ),
    );
  });

  itWhole("[L84] [L85] [L87] takes time linear in what it is given", () => {
    const issues = (size: number) =>
      JSON.stringify(
        Array.from({ length: size }, (_, at) => ({
          number: at + 1,
          title: at % 9 === 0 ? "x — DONE (depends on T1.1)" : `Issue ${at}`,
          body: at === 0 ? "" : `After #${at}`,
          state: "OPEN",
        })),
      );
    const round = (source: string) => exported(source, "-", imported(source, "-").text);
    expect(growth(200, issues, round)).toBeLessThan(LINEAR);
  });
});

describe("what waits for what a source puts off", () => {
  const bead = (id: string, status: string, on: readonly string[] = [], kind = "blocks") => ({
    id,
    title: id,
    status,
    dependencies: on.map(one => ({ depends_on_id: one, type: kind })),
  });
  const beads = [
    bead("bd-1", "deferred"),
    bead("bd-2", "open", ["bd-1"]),
    bead("bd-3", "open", ["bd-2"]),
    bead("bd-4", "closed", ["bd-1"]),
    bead("bd-5", "open", ["bd-4"]),
    bead("bd-6", "open"),
    bead("bd-7", "deferred", ["bd-6"], "parent-child"),
    bead("bd-8", "open", ["bd-6"]),
    bead("bd-9", "open", ["bd-1"], "parent-child"),
    bead("bd-91", "closed", ["bd-1"], "parent-child"),
    bead("bd-92", "open", ["bd-9"]),
  ]
    .map(one => JSON.stringify(one))
    .join("\n");
  const master = (later: string) =>
    JSON.stringify({
      tasks: [
        { id: 1, title: "a", status: later },
        { id: 2, title: "b", status: "pending", dependencies: [1] },
        { id: 3, title: "c", status: "pending", dependencies: [2], subtasks: [{ id: 1, title: "d" }] },
        { id: 4, title: "e", status: "pending" },
      ],
    });

  it.each([
    [
      "beads",
      beads,
      ["bd-2", "bd-3", "bd-8", "bd-9", "bd-92"],
      ["bd-1", "bd-2", "bd-3", "bd-7", "bd-8", "bd-9", "bd-92"],
    ],
    ["Task Master", master("deferred"), ["2", "3", "3.1"], ["1", "2", "3", "3.1"]],
    ["Task Master, given up", master("cancelled"), [], ["1"]],
  ])("[L261] is left out with it, and nothing of it is said there: %s", (_, source, waiting, left) => {
    const made = imported(source, "-");
    expect([...made.behind].sort()).toEqual(waiting);
    const { tasks } = read(made.text).plan;
    const skipped = tasks.flatMap(({ skip, origin = "" }) => (skip === true ? [origin.split(":")[1]] : []));
    expect(skipped.toSorted((one = "", other = "") => (one < other ? -1 : 1))).toEqual(left);
    const { changes, ahead, unsaid, bytes } = exported(source, "-", made.text);
    expect({ changes, ahead, unsaid }).toEqual({ changes: [], ahead: [], unsaid: [] });
    expect(textOf(bytes)).toBe(source);
  });
});
