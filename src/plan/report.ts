import { type Told, told, toldText } from "../text/index.ts";
import type { Diagnostic, Severity } from "./types.ts";

/** Where a finding points: line and column from 1, or 0 for the whole file. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/** The whole file. */
export const NOWHERE: Place = { line: 0, column: 0 };

/** Gathers findings, keeping at most `limit`; the rest is only counted. */
export interface Report {
  /** Where tasks stand that have no line of their own, by id. */
  readonly places: Map<string, Place>;
  add(severity: Severity, code: string, place: Place, message: Told, hint: Told): void;
  /** How many findings of a code came so far, kept or not. */
  count(code: string): number;
  /** All kept findings, errors first, then by line; a last one tells how many were left out. */
  finish(): Diagnostic[];
}

/** A finding whose words are told in English, and kept so that they can be told in other languages. */
export function finding(
  severity: Severity,
  code: string,
  { line, column, length }: Place,
  message: Told,
  hint: Told,
): Diagnostic {
  return {
    code,
    severity,
    message: toldText(message),
    line,
    column,
    hint: toldText(hint),
    said: { message, hint },
    ...(length === undefined ? {} : { length }),
  };
}

const RANK: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** Creates an empty report. */
export function createReport(limit: number): Report {
  const kept: Diagnostic[] = [];
  const counts = new Map<string, number>();
  let dropped = 0;
  let errorsDropped = false;
  return {
    places: new Map(),
    add(severity, code, place, message, hint) {
      counts.set(code, (counts.get(code) ?? 0) + 1);
      if (kept.length >= limit) {
        dropped++;
        errorsDropped ||= severity === "error";
        return;
      }
      kept.push(finding(severity, code, place, message, hint));
    },
    count: code => counts.get(code) ?? 0,
    finish() {
      const sorted = kept.toSorted(
        (a, b) => RANK[a.severity] - RANK[b.severity] || a.line - b.line || a.column - b.column,
      );
      if (dropped > 0) {
        const severity = errorsDropped ? "error" : "info";
        const message = told`${dropped} more findings are not listed`;
        sorted.push(finding(severity, "MORE", NOWHERE, message, told`settle the ones above first`));
      }
      return sorted;
    },
  };
}
