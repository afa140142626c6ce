/** Tells of each mutant that lives as soon as it is known: a run of hours need not be waited for to begin with the first. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { codeAt, lineOf, type Mutant } from "./report.ts";

type Tested = Mutant & { readonly fileName: string };

class AsFound {
  static readonly inject = [] as const;

  onMutantTested(mutant: Tested): void {
    if (mutant.status !== "Survived" && mutant.status !== "NoCoverage") return;
    const code = codeAt(readFileSync(mutant.fileName, "utf8"), mutant.location);
    process.stdout.write(`${lineOf({ ...mutant, file: relative(process.cwd(), mutant.fileName), code })}\n`);
  }
}

export const strykerPlugins = [{ kind: "Reporter", name: "as-found", injectableClass: AsFound }];
