import { compareNaturally, lastNumber } from "../syntax/ids.ts";
import type { Ref } from "../syntax/ref.ts";
import type { Phase } from "../types.ts";

/** What the resolver knows of a task: its place in the list is its number. */
export interface Known {
  readonly id: string;
  readonly phase: Phase;
}

/** Whose value a ref stands in: short ids are read from there. */
export interface Where {
  readonly phase?: Phase;
  readonly id?: string;
}

/** Numbers of the tasks a ref means; undefined when it means none. `single` when the ref is that task's own id. */
export interface Meaning {
  readonly tasks: readonly number[];
  readonly single: boolean;
}

/** Looks up what refs mean: ids, shortened ids, groups, phases, milestones, ranges. */
export interface Resolver {
  resolve(ref: Ref, where: Where): Meaning | undefined;
  /** One id or group name. */
  find(id: string, where: Where): Meaning | undefined;
  /** Whether some task's id begins with the same letters: then an unknown id is meant to be one. */
  isFamily(id: string): boolean;
}

/** A range of milestones, phases or groups jumps to its end where so many in a row are unknown. */
const MAX_GAP = 5;
/** Ids may be named without their first so many segments. */
const MAX_CUTS = 4;

function lowerBound(sorted: readonly number[], before: (task: number) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withoutZeros(id: string): string {
  return id.toLowerCase().replace(/(^|\D)0+(?=\d)/g, "$1");
}

function letters(id: string): string {
  let end = 0;
  while (end < id.length && /[A-Za-z]/.test(id[end]!)) end++;
  return id.slice(0, end).toUpperCase();
}

/** Creates a resolver over a plan's tasks; `groups` are names of headings with the tasks below them. */
export function createResolver(
  tasks: readonly Known[],
  groups: ReadonlyMap<string, readonly number[]>,
): Resolver {
  const exact = new Map<string, number>();
  const phases = new Map<string, number[]>();
  const families = new Set<string>();
  for (const [index, { id, phase }] of tasks.entries()) {
    exact.set(id, index);
    const members = phases.get(String(phase));
    if (members === undefined) phases.set(String(phase), [index]);
    else members.push(index);
    families.add(letters(id));
  }
  const numbers = tasks.map((_, index) => index);
  let byCode: number[] | undefined;
  let byNature: number[] | undefined;
  let suffixes: Map<string, Map<string, number>> | undefined;
  let loose: Map<string, number> | undefined;

  /** Ids as people write them from memory: in any case, without leading zeros. */
  function looseIndex(): Map<string, number> {
    if (loose !== undefined) return loose;
    loose = new Map();
    for (const [index, { id }] of tasks.entries())
      if (!loose.has(withoutZeros(id))) loose.set(withoutZeros(id), index);
    return loose;
  }

  /** All tasks whose id begins with a prefix. */
  function withPrefix(prefix: string): number[] {
    byCode ??= numbers.toSorted((a, b) => (tasks[a]!.id < tasks[b]!.id ? -1 : 1));
    const found: number[] = [];
    for (let i = lowerBound(byCode, task => tasks[task]!.id < prefix); i < byCode.length; i++) {
      const task = byCode[i]!;
      if (!tasks[task]!.id.startsWith(prefix)) break;
      found.push(task);
    }
    return found;
  }

  function group(name: string): Meaning | undefined {
    const named = groups.get(name);
    if (named !== undefined && named.length > 0) return { tasks: named, single: false };
    const below = [...withPrefix(`${name}-`), ...withPrefix(`${name}.`)];
    return below.length > 0 ? { tasks: below, single: false } : undefined;
  }

  function direct(id: string): Meaning | undefined {
    const index = exact.get(id) ?? looseIndex().get(withoutZeros(id));
    return index === undefined ? undefined : { tasks: [index], single: true };
  }

  function suffixIndex(): Map<string, Map<string, number>> {
    if (suffixes !== undefined) return suffixes;
    suffixes = new Map();
    for (const [index, { id, phase }] of tasks.entries()) {
      let cuts = 0;
      for (let dash = id.indexOf("-"); dash >= 0 && cuts < MAX_CUTS; dash = id.indexOf("-", dash + 1)) {
        cuts++;
        const suffix = id.slice(dash + 1);
        const owners = suffixes.get(suffix) ?? new Map<string, number>();
        suffixes.set(suffix, owners);
        for (const key of [String(phase), "*"]) owners.set(key, owners.has(key) ? -1 : index);
      }
    }
    return suffixes;
  }

  /** An id without its phase prefix, or without the prefix it shares with the task that names it. */
  function shortened(id: string, where: Where): Meaning | undefined {
    const bases: string[] = [];
    if (where.phase !== undefined) bases.push(`P${where.phase}`);
    for (let base = where.id ?? ""; base.includes("-"); ) {
      base = base.slice(0, base.lastIndexOf("-"));
      bases.push(base);
    }
    for (const base of bases) {
      if (`${base}-${id}` === where.id) continue;
      const found = direct(`${base}-${id}`) ?? group(`${base}-${id}`);
      if (found !== undefined) return found;
    }
    const owners = suffixIndex().get(id);
    const index = owners?.get(String(where.phase)) ?? owners?.get("*") ?? -1;
    if (index >= 0) return { tasks: [index], single: true };
    const dash = id.indexOf("-");
    const bare = dash > 0 && /^P\d/.test(id) ? direct(id.slice(dash + 1)) : undefined;
    return bare !== undefined && String(tasks[bare.tasks[0]!]?.phase) === id.slice(1, dash)
      ? bare
      : undefined;
  }

  function phase(label: string, only?: "R" | "S"): Meaning | undefined {
    const members = phases.get(label);
    if (members === undefined) return undefined;
    const chosen =
      only === undefined ? [] : members.filter(task => tasks[task]!.id.startsWith(`P${label}-${only}`));
    return { tasks: chosen.length > 0 ? chosen : members, single: false };
  }

  /** `Phase 4+` and `Phase 5-A` mean phases of that name, else the phase of that number. */
  function named(label: string, only?: "R" | "S"): Meaning | undefined {
    const number = /^(\d[\d.]*)(?:\+|-[A-Za-z])$/.exec(label)?.[1];
    return phase(label, only) ?? (number === undefined ? undefined : phase(number, only));
  }

  function find(id: string, where: Where): Meaning | undefined {
    const found = direct(id) ?? group(id) ?? shortened(id, where);
    if (found !== undefined) return found;
    return /^[MP]\d+(?:\.\d+)?$/.test(id) ? phase(id.slice(1)) : undefined;
  }

  /** Everything from one end to the other, as people count. */
  function range(from: string, to: string, where: Where): Meaning | undefined {
    const whole = exact.get(`${from}-${to}`);
    if (whole !== undefined) return { tasks: [whole], single: true };
    const first = find(from, where);
    const dash = from.lastIndexOf("-");
    const last =
      (dash > 0 ? direct(`${from.slice(0, dash)}-${to}`) : undefined) ?? find(to, { ...where, id: from });
    if (first === undefined || last === undefined) return undefined;
    if (!first.single || !last.single) return span(from, to, [first, last], where);
    if (letters(tasks[first.tasks[0]!]!.id) !== letters(tasks[last.tasks[0]!]!.id))
      return mixed(from, to, first, last);
    byNature ??= numbers.toSorted((a, b) => compareNaturally(tasks[a]!.id, tasks[b]!.id));
    // Counted down it means the same.
    const [a, b] = [tasks[first.tasks[0]!]!.id, tasks[last.tasks[0]!]!.id].sort(compareNaturally) as [
      string,
      string,
    ];
    const begin = lowerBound(byNature, task => compareNaturally(tasks[task]!.id, a) < 0);
    const end = lowerBound(byNature, task => compareNaturally(tasks[task]!.id, b) <= 0);
    const family = letters(a);
    return {
      tasks: byNature.slice(begin, end).filter(task => letters(tasks[task]!.id) === family),
      single: false,
    };
  }

  /** `P1-T1.1~T1.3` where some carry the phase and others do not: counts up with either prefix; both ends always belong. */
  function mixed(from: string, to: string, first: Meaning, last: Meaning): Meaning {
    const a = lastNumber(from);
    const b = lastNumber(to);
    const union = new Set(first.tasks);
    let gap = 0;
    for (let n = Number(a?.number) + 1; n < Number(b?.number) && gap < MAX_GAP; n++) {
      const found = direct(`${a!.prefix}${n}`) ?? direct(`${b!.prefix}${n}`);
      gap = found === undefined ? gap + 1 : 0;
      for (const task of found?.tasks ?? []) union.add(task);
    }
    for (const task of last.tasks) union.add(task);
    return { tasks: [...union], single: false };
  }

  /** `M1~M5`, `P0~P3`, `P2-R1~R3`: the union of groups that count up. */
  function span(from: string, to: string, ends: readonly Meaning[], where: Where): Meaning | undefined {
    let a = lastNumber(from);
    let b = lastNumber(to);
    if (a === undefined || b === undefined) return undefined;
    if (Number(a.number) > Number(b.number))
      [a, b] = [
        { ...a, number: b.number },
        { ...b, number: a.number },
      ];
    const union = new Set<number>();
    let gap = 0;
    for (let n = Number(a.number); n <= Number(b.number) && gap < MAX_GAP; n++) {
      const found = find(`${a.prefix}${n}`, where)?.tasks;
      gap = found === undefined ? gap + 1 : 0;
      for (const task of found ?? []) union.add(task);
      // `M0~M1` passes M0.5, the one fraction in use.
      for (const task of (n < Number(b.number) ? find(`${a.prefix}${n}.5`, where)?.tasks : undefined) ?? [])
        union.add(task);
    }
    for (const end of ends) for (const task of end.tasks) union.add(task);
    return { tasks: [...union], single: false };
  }

  return {
    find,
    isFamily: id => families.has(letters(id)),
    resolve(ref, where) {
      switch (ref.kind) {
        case "id":
          if (ref.base === undefined) return find(ref.id, where);
          return (
            direct(`${ref.base}-${ref.id}`) ??
            group(`${ref.base}-${ref.id}`) ??
            direct(ref.id) ??
            group(ref.id)
          );
        case "range":
          return range(ref.from, ref.to, where);
        case "phase":
          // `P1.1` may be a task of phase 1 as well.
          return direct(`P${ref.phase}`) ?? named(String(ref.phase), ref.only);
        case "prefix": {
          const found = withPrefix(ref.prefix);
          if (found.length > 0) return { tasks: found, single: false };
          const below = where.phase === undefined ? [] : withPrefix(`P${where.phase}-${ref.prefix}`);
          return below.length > 0 ? { tasks: below, single: false } : undefined;
        }
      }
    },
  };
}
