import { EQUIVALENT, type Equivalent } from "./equivalent.ts";

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A mutant as Stryker tells of it, as far as it is read here. */
export interface Mutant {
  readonly status:
    | "Killed"
    | "Timeout"
    | "Survived"
    | "NoCoverage"
    | "Ignored"
    | "RuntimeError"
    | "CompileError";
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

/** What Stryker writes, as far as it is read here. */
export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

/** A mutant with the code it replaces. */
export interface Named extends Mutant {
  readonly file: string;
  readonly code: string;
}

const DEAD = new Set(["Killed", "Timeout"]);
const LIVE = new Set(["Survived", "NoCoverage"]);

/** The code that a mutant replaces. */
export function codeAt(source: string, { start, end }: Mutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, at) => line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined))
    .join("\n");
}

function mutantsOf(report: Report): Named[] {
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map(mutant => ({ ...mutant, file, code: codeAt(source, mutant.location) })),
  );
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function isNamed({ file, code, to }: Equivalent, mutant: Named): boolean {
  if (file !== mutant.file || code !== oneLine(mutant.code)) return false;
  return to === undefined || to === oneLine(mutant.replacement ?? "");
}

/** The survivors no one has explained, and explanations whose code is no longer there. */
export function judged(report: Report): { live: Named[]; outdated: string[] } {
  const mutants = mutantsOf(report);
  const live = mutants.filter(mutant => LIVE.has(mutant.status));
  const here = EQUIVALENT.filter(({ file }) => file in report.files);
  return {
    live: live.filter(mutant => !here.some(one => isNamed(one, mutant))),
    outdated: here
      .filter(one => !mutants.some(mutant => isNamed(one, mutant)))
      .map(({ file, code }) => `${file}: ${code}`),
  };
}

export function lineOf({ file, location, mutatorName, code, replacement }: Named): string {
  const [from, to] = [oneLine(code).slice(0, 100), oneLine(replacement ?? "").slice(0, 100)];
  return `${file}:${location.start.line} ${mutatorName}: ${from} => ${to}`;
}

function share(dead: number, live: number): string {
  return dead + live === 0 ? "-" : `${((100 * dead) / (dead + live)).toFixed(1)} %`;
}

/** A row of the table: the score counts everything, the last column leaves out texts, which are judged elsewhere. */
export function rowOf(room: string, report: Report): string {
  const mutants = mutantsOf(report);
  const count = (of: readonly Named[], ...statuses: string[]): number =>
    of.filter(({ status }) => statuses.includes(status)).length;
  const { live } = judged(report);
  const unexplained = new Set(live.map(lineOf));
  const equivalent = mutants.filter(
    mutant => LIVE.has(mutant.status) && !unexplained.has(lineOf(mutant)),
  ).length;
  const dead = mutants.filter(({ status }) => DEAD.has(status)).length;
  const alive = count(mutants, "Survived", "NoCoverage");
  const plain = mutants.filter(({ mutatorName }) => mutatorName !== "StringLiteral");
  const cells = [
    room,
    dead + alive,
    count(mutants, "Killed"),
    count(mutants, "Timeout"),
    count(mutants, "Survived"),
    count(mutants, "NoCoverage"),
    equivalent,
    share(dead, alive),
    share(plain.filter(({ status }) => DEAD.has(status)).length, count(plain, "Survived", "NoCoverage")),
  ];
  return `| ${cells.join(" | ")} |`;
}
