import { deepStrictEqual } from "node:assert/strict";
import type { Result } from "../ports/result.ts";
import type { Store } from "../ports/store.ts";
import type { StoreFailure } from "../ports/store-failure.ts";

/** What a rule works with: one place, opened as often as it likes. */
export interface StoreOpener {
  readonly writer: () => { readonly store: Store; readonly epoch: number };
  readonly reader: () => Store;
}

/** One requirement of the Store port. */
export interface StoreRule {
  readonly name: string;
  readonly needsReader?: true;
  readonly check: (place: StoreOpener) => void;
}

/** The value of a success; an unexpected failure is shown as it is. */
export function good<T>(result: Result<T, StoreFailure>): T {
  if (!result.ok) deepStrictEqual(result, { ok: true });
  return (result as { readonly value: T }).value;
}

/** The failure of what must not have succeeded. */
export function failureOf(result: Result<unknown, StoreFailure>): StoreFailure {
  if (result.ok) deepStrictEqual(result, { ok: false });
  return (result as { readonly failure: StoreFailure }).failure;
}
