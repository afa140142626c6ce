import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { casesOf } from "../sample.ts";
import { errors, read } from "./reading.ts";
import {
  asHeadings,
  asItems,
  asRows,
  dotted,
  hands,
  layered,
  type Meant,
  prefixed,
} from "./round-trip-hand.ts";

/** What was understood, in the same form. */
function understood(text: string): unknown {
  return read(text).plan.tasks.map(({ id, phase, title, done, specialist, dependsOn }) => ({
    id,
    phase,
    title,
    done,
    specialist,
    dependsOn,
  }));
}

function meant(tasks: readonly Meant[]): unknown {
  return tasks.map(({ id, phase, title, done, specialist, dependsOn }) => ({
    id,
    phase,
    title,
    done,
    specialist,
    dependsOn,
  }));
}

/** Errors apart from the one that a half-ticked plan may earn. */
function faults(text: string): string[] {
  return errors(read(text));
}

describe("what is written is what is read", () => {
  for (const [name, arbitrary] of [
    ["T1.1", dotted],
    ["P1-T1", prefixed],
    ["P1-R2-T1", layered],
  ] as const) {
    for (const [style, write, numRuns] of [
      ["[L10] as headings", asHeadings, casesOf(100, 400)],
      ["[L10] as list items", asItems, casesOf(100, 400)],
      ["[L21] as table rows", asRows, casesOf(75, 300)],
    ] as const) {
      it(`${style} with ids like ${name}`, () => {
        fc.assert(
          fc.property(arbitrary, hands, (tasks, hand) => {
            const text = write(tasks, hand);
            expect(understood(text)).toEqual(meant(tasks));
            expect(faults(text)).toEqual([]);
          }),
          { numRuns },
        );
      });
    }

    it(`[L20] with a list in front that repeats ids like ${name}`, () => {
      fc.assert(
        fc.property(arbitrary, hands, (tasks, hand) => {
          const summary = tasks
            .map(task => `- [${task.done ? "x" : " "}] ${task.id} ${task.title}`)
            .join("\n");
          const text = `# 현황\n${summary}\n\n${asHeadings(tasks, hand)}`;
          expect(understood(text)).toEqual(meant(tasks));
          expect(faults(text)).toEqual([]);
        }),
        { numRuns: casesOf(50, 200) },
      );
    });

    it(`[L35] with the dependencies in a diagram and ids like ${name}`, () => {
      fc.assert(
        fc.property(arbitrary, hands, (tasks, { choose }) => {
          const node = (id: string) =>
            choose([`${id}`, `n${id.replace(/\W/g, "_")}[${id}]`, `n${id.replace(/\W/g, "_")}["${id}: x"]`]);
          const arrows = tasks.flatMap(task =>
            task.dependsOn.map(
              id => `  ${node(id)} ${choose(["-->", "==>", "-.->", "-->|then|"])} ${node(task.id)}`,
            ),
          );
          const body = tasks.map(task => `### [ ] Phase ${task.phase}, ${task.id}: x`).join("\n");
          const text = `${body}\n\n\`\`\`mermaid\ngraph TD\n${arrows.join("\n")}\n\`\`\`\n`;
          expect(read(text).plan.tasks.map(found => found.dependsOn)).toEqual(
            tasks.map(task => task.dependsOn),
          );
        }),
        { numRuns: 200 },
      );
    });
  }

  it("[L43] as spec-kit", () => {
    fc.assert(
      fc.property(dotted, hands, (tasks, { choose }) => {
        const ids = new Map(tasks.map((task, n) => [task.id, `T${String(n + 1).padStart(3, "0")}`]));
        let phase = -1;
        const lines: string[] = ["# Tasks: Bakery"];
        for (const task of tasks) {
          if (task.phase !== phase) lines.push("", `## Phase ${task.phase + 1}: Part`, "");
          phase = task.phase;
          const depends = task.dependsOn.map(id => ids.get(id)).join(", ");
          const tag = choose(["", "[P] ", "[US1] ", "[P] [US2] "]);
          lines.push(
            `- [${task.done ? choose(["x", "X"]) : " "}] ${ids.get(task.id)} ${tag}${task.title}${depends === "" ? "" : ` (depends on ${depends})`}`,
          );
        }
        const reading = read(lines.join("\n"), "specs/001-x/tasks.md");
        expect(reading.plan.format).toBe("spec-kit");
        expect(
          reading.plan.tasks.map(({ id, phase: number, done, dependsOn }) => ({
            id,
            phase: number,
            done,
            dependsOn,
          })),
        ).toEqual(
          tasks.map(task => ({
            id: ids.get(task.id),
            phase: task.phase + 1,
            done: task.done,
            dependsOn: task.dependsOn.map(id => ids.get(id)),
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("[L44] as Kiro", () => {
    fc.assert(
      fc.property(prefixed, hands, (tasks, hand) => {
        const { choose } = hand;
        const number = new Map(
          tasks.map(task => [task.id, `${task.phase + 1}.${task.id.replace(/^.*T/, "")}`]),
        );
        const lines: string[] = ["# Implementation Plan"];
        const majors: string[] = [];
        let phase = -1;
        for (const task of tasks) {
          if (task.phase !== phase) {
            lines.push(`- [ ] ${task.phase + 1}. Part`);
            majors.push(String(task.phase + 1));
          }
          phase = task.phase;
          const indent = choose(["", "  "]);
          lines.push(
            `${indent}- [${task.done ? "x" : " "}] ${number.get(task.id)} ${task.title}${choose(["", " (P)"])}`,
          );
          lines.push(`${indent}  - Some detail`, `${indent}  - _Requirements: 1.1, 2.2_`);
          const depends = task.dependsOn.map(id => number.get(id)).join(", ");
          if (depends !== "")
            lines.push(
              `${indent}  - ${choose([`_Depends: ${depends}_`, `Depends on ${depends}`, `依赖: ${depends}`])}`,
            );
        }
        const reading = read(lines.join("\n"), ".kiro/specs/x/tasks.md");
        expect(reading.plan.tasks.map(found => found.id).sort()).toEqual(
          [...number.values(), ...majors].sort(),
        );
        for (const task of tasks) {
          expect(reading.plan.tasks.find(found => found.id === number.get(task.id))).toMatchObject({
            done: task.done,
            dependsOn: task.dependsOn.map(id => number.get(id)),
          });
        }
      }),
      { numRuns: casesOf(75, 300) },
    );
  });

  it("[L47] as Task Master", () => {
    fc.assert(
      fc.property(prefixed, fc.boolean(), (tasks, tagged) => {
        const place = new Map<string, string>();
        const list: {
          id: number;
          title: string;
          status: string;
          dependencies: unknown[];
          subtasks: { id: number; title: string; status: string; dependencies: unknown[] }[];
        }[] = [];
        for (const task of tasks) {
          let parent = list.find(candidate => candidate.id === task.phase + 1);
          if (parent === undefined) {
            parent = { id: task.phase + 1, title: "Part", status: "pending", dependencies: [], subtasks: [] };
            list.push(parent);
          }
          const own = parent.subtasks.length + 1;
          place.set(task.id, `${parent.id}.${own}`);
          parent.subtasks.push({
            id: own,
            title: task.title,
            status: task.done ? "done" : "pending",
            dependencies: task.dependsOn.map(id => {
              const full = place.get(id)!;
              return full.startsWith(`${parent.id}.`) ? Number(full.split(".")[1]) : full;
            }),
          });
        }
        const text = JSON.stringify(tagged ? { master: { tasks: list } } : { tasks: list });
        const reading = read(text, "tasks.json");
        for (const task of tasks) {
          expect(reading.plan.tasks.find(found => found.id === place.get(task.id))).toMatchObject({
            title: task.title,
            done: task.done,
            dependsOn: task.dependsOn.map(id => place.get(id)),
          });
        }
        expect(reading.plan.tasks).toHaveLength(tasks.length + list.length);
        expect(errors(reading)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
