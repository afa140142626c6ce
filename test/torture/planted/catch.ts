import { existsSync, readFileSync, rmSync } from "node:fs";
import type { Catcher } from "./bug.ts";
import type { Checkout, Outcome } from "./checkout.ts";

/** Milliseconds for a proof or a few tests. */
const PATIENCE = 600_000;

/** What a catcher said of a copy: what broke, and how much was asked at all. */
export interface Verdict {
  /** What noticed it first, in words; undefined when everything held. */
  readonly caught: string | undefined;
  /** Tests that passed. */
  readonly passed: number;
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const FOUND = "planted-found.json";

function readReport(checkout: Checkout, { status, output }: Outcome): Verdict {
  if (status === null) return { caught: "it never ended", passed: 0 };
  const path = checkout.path(FOUND);
  if (!existsSync(path)) return { caught: `no report: ${output.slice(-300)}`, passed: 0 };
  const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(path, "utf8")) as Report;
  if (status === 0) return { caught: undefined, passed };
  const broken = testResults.find(file => file.status === "failed");
  const test = broken?.assertionResults.find(one => one.status === "failed");
  const file = broken?.name.slice(checkout.folder.length + 1) ?? "";
  return {
    caught: `${file}: ${test?.fullName ?? broken?.message.split("\n")[0] ?? "an error outside the tests"}`,
    passed,
  };
}

/** Runs test files, of them only what a rule names, and stops at the first that fails. */
export async function runTests(
  checkout: Checkout,
  files: readonly string[],
  { rule, jailed }: { readonly rule?: string | undefined; readonly jailed: boolean },
): Promise<Verdict> {
  rmSync(checkout.path(FOUND), { force: true });
  const outcome = await checkout.node(
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config=planted.config.ts",
      "--configLoader=native",
      "--bail=1",
      "--maxWorkers=1",
      "--reporter=json",
      `--outputFile=${FOUND}`,
      ...(rule === undefined ? [] : ["-t", `\\[${rule}\\]`]),
      ...files,
    ],
    { patience: PATIENCE, jailed },
  );
  return readReport(checkout, outcome);
}

async function runProof(checkout: Checkout, proof: string, count: number, seed: number): Promise<Verdict> {
  const args = ["--only", proof, "--count", `${count}`, "--seed", `${seed}`];
  const { status, output } = await checkout.node(["test/torture/main.ts", ...args], {
    patience: PATIENCE,
    jailed: false,
  });
  if (status === 0) return { caught: undefined, passed: 1 };
  const sentence = /BROKEN (.*)/.exec(output)?.[1] ?? output.trimEnd().split("\n").at(-1) ?? "";
  return { caught: `torture ${proof}: ${status === null ? "it never ended" : sentence}`, passed: 0 };
}

/** Asks whoever is expected to notice a bug that harms nothing else. */
export async function ask(checkout: Checkout, by: Catcher): Promise<Verdict> {
  return "test" in by
    ? runTests(checkout, [by.test], { rule: by.rule, jailed: false })
    : runProof(checkout, by.proof, by.count, by.seed ?? 1);
}
