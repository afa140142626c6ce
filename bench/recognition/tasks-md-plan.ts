import type { Random } from "./random.ts";

/** A task as it is meant, before anyone spells it. */
export interface Meant {
  readonly id: string;
  /** What stands before the colon of its heading, `Phase 1, T1.2`. */
  readonly head: string;
  /** Shorter name for use inside its own phase, `T1` for `P5-T1`. */
  readonly short?: string;
  readonly phase: string;
  /** Group it belongs to, `P2-R1`. */
  readonly group?: string;
  readonly done: boolean;
  readonly role: string;
  dependsOn: string[];
  /** How the dependencies are written in the task's field; undefined: no field. */
  spelled: string | undefined;
}

/** Shapes of ids found in real files. */
export const SHAPES = [
  "Phase N, TN.M",
  "Phase N, TN.M.K",
  "Phase N, TN.M-FE",
  "TN.M",
  "PN-TN.M",
  "PN-TM",
  "PN-RM-TK",
  "PN-RM",
  "PN.5-SK-T",
  "PF-R-T",
  "milestones",
] as const;

export type Shape = (typeof SHAPES)[number];

const ROLES = [
  "backend-specialist",
  "frontend-specialist",
  "test-specialist",
  "database-specialist",
  "docs-specialist",
  "api-designer",
  "orchestrator",
];

/** Draws the tasks of a plan: ids of one shape, phases, groups, states. */
export function meanTasks(random: Random, shape: Shape): Meant[] {
  const tasks: Meant[] = [];
  const finished = random.pick([0, 0.5, 1]);
  const add = (phase: string, id: string, head = id, more: { short?: string; group?: string } = {}): void => {
    const done = random.chance(finished);
    tasks.push({
      id,
      head,
      phase,
      done,
      role: random.pick(ROLES),
      dependsOn: [],
      spelled: undefined,
      ...more,
    });
  };
  const phases = random.int(1, 4);
  for (let p = 0; p <= phases; p += 1) {
    const phase = `${p}`;
    const count = random.int(1, 5);
    for (let t = 1; t <= count; t += 1) {
      if (shape === "Phase N, TN.M") add(phase, `T${p}.${t}`, `Phase ${p}, T${p}.${t}`);
      else if (shape === "Phase N, TN.M.K") {
        const sub = random.int(1, 2);
        add(phase, `T${p}.${t}.${sub}`, `Phase ${p}, T${p}.${t}.${sub}`);
      } else if (shape === "Phase N, TN.M-FE") {
        const ends = random.chance(0.5) ? ["-BE", "-FE"] : [""];
        for (const end of ends) add(phase, `T${p}.${t}${end}`, `Phase ${p}, T${p}.${t}${end}`);
      } else if (shape === "TN.M") add(phase, `T${p}.${t}`);
      else if (shape === "PN-TN.M") add(phase, `P${p}-T${p}.${t}`, undefined, { short: `T${p}.${t}` });
      else if (shape === "PN-TM") add(phase, `P${p}-T${t}`, undefined, { short: `T${t}` });
      else if (shape === "PN-RM") {
        if (p === 0) add(phase, `P0-T0.${t}`);
        else add(phase, `P${p}-${random.chance(0.5) ? "R" : "S"}${t}`);
      } else if (shape === "milestones") add(phase, `T${p}.${t}`, undefined, { group: `M${p}` });
      else grouped(p, t, phase);
    }
    if (p > 0 && (shape === "PN-RM" || shape === "PN-RM-TK") && random.chance(0.3))
      add(phase, `P${p}-V${random.chance(0.3) ? "1" : ""}`);
  }
  return tasks;

  function grouped(p: number, t: number, phase: string): void {
    if (p === 0) {
      add(phase, `P0-T${t}`);
      return;
    }
    const label = shape === "PF-R-T" && p === phases ? "F" : shape === "PN.5-SK-T" && p === 2 ? "1.5" : phase;
    const kind = label === "1.5" ? "SK" : random.chance(0.5) ? "R" : "S";
    const group = `P${label}-${kind}${t}`;
    const leaves = random.int(1, 3);
    for (let k = 1; k <= leaves; k += 1)
      add(label, `${group}-T${k}`, undefined, { group, short: `${kind}${t}-T${k}` });
    if (kind === "S" && random.chance(0.3)) add(label, `${group}-V`, undefined, { group });
  }
}

/** Draws what each task waits for, always earlier tasks, together with a spelling that says exactly that. */
export function meanDependencies(
  random: Random,
  tasks: readonly Meant[],
  shape: Shape,
  tags: Set<string>,
): void {
  for (const [index, task] of tasks.entries()) {
    const earlier = tasks.slice(Math.max(0, index - 12), index);
    const kind =
      earlier.length === 0
        ? "none"
        : random.pick(["none", "list", "list", "list", "range", "group", "short"]);
    const chosen =
      (kind === "range" && range(random, tasks, index, shape)) ||
      (kind === "group" && wholeGroup(random, tasks, task)) ||
      (kind === "short" && shortened(random, earlier, task)) ||
      (kind === "none" || earlier.length === 0 ? undefined : listed(random, earlier));
    if (chosen?.kind === "list" && shape.startsWith("Phase") && random.dare(0.2)) {
      const heads = chosen.ids.map(id => tasks.find(other => other.id === id)!.head);
      task.dependsOn = chosen.ids;
      task.spelled = heads.join(", ");
      tags.add("beyond:deps-with-phase");
      continue;
    }
    if (!chosen) continue;
    task.dependsOn = chosen.ids;
    task.spelled = chosen.spelled;
    tags.add(`deps:${chosen.kind}`);
  }
}

interface Chosen {
  readonly ids: string[];
  readonly spelled: string;
  readonly kind: string;
}

function listed(random: Random, earlier: readonly Meant[]): Chosen {
  const ids = random.some(earlier, random.int(1, 3)).map(task => task.id);
  return { ids, spelled: ids.join(", "), kind: "list" };
}

/** A run of neighbours whose ids differ in the last number only, `P1-T2~T4`. */
function range(random: Random, tasks: readonly Meant[], index: number, shape: Shape): Chosen | undefined {
  if (shape === "Phase N, TN.M-FE" || shape === "Phase N, TN.M.K") return undefined;
  const split = (id: string): [string, number] => {
    const at = id.search(/\d+$/);
    return at < 0 ? [id, Number.NaN] : [id.slice(0, at), Number(id.slice(at))];
  };
  const last = tasks[index - random.int(1, Math.min(index, 3))]!;
  const [stem, number] = split(last.id);
  const run = tasks
    .slice(0, tasks.indexOf(last) + 1)
    .filter(task => split(task.id)[0] === stem && split(task.id)[1] <= number);
  if (run.length < 2 || run.some((task, k) => split(task.id)[1] !== number - run.length + 1 + k))
    return undefined;
  const first = run[0]!;
  // `P12-T1~T5` leaves the phase out on the right; `T1.1~T1.6` has nothing to leave out.
  const right = random.chance(0.5) ? last.id.slice(last.id.lastIndexOf("-") + 1) : last.id;
  const tilde = random.pick(["~", "~", " ~ ", "～"]);
  return {
    ids: run.map(task => task.id),
    spelled: `${first.id}${tilde}${right}`,
    kind: tilde === "～" ? "range-wide-tilde" : "range",
  };
}

/** A group or milestone of tasks, named as a whole; groups with a verification are left out: do they include it? */
function wholeGroup(random: Random, tasks: readonly Meant[], task: Meant): Chosen | undefined {
  const before = tasks.slice(0, tasks.indexOf(task));
  const names = [
    ...new Set(before.flatMap(other => (other.group && other.group !== task.group ? [other.group] : []))),
  ];
  const name = names.length > 0 ? random.pick(names) : undefined;
  const ids = tasks.filter(other => other.group === name).map(other => other.id);
  if (name === undefined || ids.some(id => id.endsWith("-V"))) return undefined;
  if (name.startsWith("M") && names.length > 1 && names[0] === "M0" && random.chance(0.5)) {
    const upTo = names.indexOf(name);
    if (upTo > 0) {
      const all = tasks.filter(
        other =>
          other.group !== undefined && names.indexOf(other.group) >= 0 && names.indexOf(other.group) <= upTo,
      );
      return { ids: all.map(other => other.id), spelled: `M0~${name}`, kind: "milestone-range" };
    }
  }
  return { ids, spelled: name, kind: name.startsWith("M") ? "milestone" : "group" };
}

/** Ids of the task's own phase without the phase's prefix. */
function shortened(random: Random, earlier: readonly Meant[], task: Meant): Chosen | undefined {
  const near = earlier.filter(other => other.phase === task.phase && other.short !== undefined);
  if (near.length === 0 || task.short === undefined) return undefined;
  const chosen = random.some(near, random.int(1, 2));
  return {
    ids: chosen.map(other => other.id),
    spelled: chosen.map(other => other.short!).join(", "),
    kind: "short-id",
  };
}
