/**
 * Stands for `vitest` while mutants are asked: what test files register is kept, to be run again and again in one process,
 * since a worker for each mutant takes ten times as long as its tests. `expect` is the real one.
 */
import { expect as real } from "vitest";

/** The real one but for snapshots in the test's own text, which need a worker there. */
export const expect: typeof real = new Proxy(real, {
  apply(target, self, given: [unknown, string?]) {
    const check = (...one: [unknown, string?]) =>
      Reflect.apply(target, self, one) as unknown as { toBe(value: unknown): void };
    const toMatchInlineSnapshot = (snapshot: string): void =>
      check(`"${String(given[0])}"`, given[1]).toBe(unindented(snapshot));
    return Object.defineProperty(check(...given), "toMatchInlineSnapshot", { value: toMatchInlineSnapshot });
  },
});

type Body = (...given: never[]) => unknown;
type Hook = () => unknown;

/** A file or a `describe`, with its hooks. */
export interface Suite {
  readonly name: string;
  readonly parent: Suite | undefined;
  readonly before: Hook[];
  readonly after: Hook[];
  readonly beforeEach: Hook[];
  readonly afterEach: Hook[];
}

export interface Test {
  readonly id: string;
  readonly suite: Suite;
  readonly body: (context: { readonly skip: (condition?: unknown, why?: string) => void }) => unknown;
}

export const tests: Test[] = [];
const names = new Set<string>();
let suite: Suite = suiteOf("", undefined);

function suiteOf(name: string, parent: Suite | undefined): Suite {
  return { name, parent, before: [], after: [], beforeEach: [], afterEach: [] };
}

/** What follows belongs to this file. */
export function beginFile(name: string): void {
  suite = suiteOf(name, undefined);
}

/** Thrown by a test that does not apply here. */
export class Skipped extends Error {}

/** The function among a name's further arguments, which may be options before it or a timeout behind it. */
function bodyOf(rest: readonly unknown[]): Body {
  return rest.find(one => typeof one === "function") as Body;
}

function nameOf(within: Suite | undefined): string {
  return within === undefined ? "" : `${nameOf(within.parent)}${within.name} > `;
}

function register(name: string, body: Test["body"]): void {
  const full = nameOf(suite) + name;
  // A title may come twice; its tests are told apart by their order.
  let id = full;
  for (let again = 2; names.has(id); again++) id = `${full} (${again})`;
  names.add(id);
  tests.push({ id, suite, body });
}

function plain(name: string, ...rest: unknown[]): void {
  register(name, bodyOf(rest) as unknown as Test["body"]);
}

function each(table: readonly unknown[]): (name: string, ...rest: unknown[]) => void {
  const listed = table.every(row => Array.isArray(row));
  return (name, ...rest) => {
    for (const row of table) {
      const given = listed ? (row as unknown[]) : [row];
      register(name, () => bodyOf(rest)(...(given as never[])));
    }
  };
}

const skipIf = (condition: unknown): typeof plain => (condition ? () => {} : plain);

export const it = Object.assign(plain, { each, skipIf });

export function describe(name: string, ...rest: unknown[]): void {
  const outer = suite;
  suite = suiteOf(name, outer);
  bodyOf(rest)();
  suite = outer;
}

export const beforeAll = (hook: Hook): void => void suite.before.push(hook);
export const afterAll = (hook: Hook): void => void suite.after.push(hook);
export const beforeEach = (hook: Hook): void => void suite.beforeEach.push(hook);
export const afterEach = (hook: Hook): void => void suite.afterEach.push(hook);

/** A snapshot as it stands in the test, without the indentation of its line. */
function unindented(text: string): string {
  const indent = /^\n( *)/.exec(text)?.[1] ?? "";
  return text.replaceAll(`\n${indent}`, "\n").trim();
}
