import { leadsHere } from "../host/own-path.ts";
import { PACKAGE_ROOT, PROGRAM } from "../host/package.ts";
import { shellWord } from "../text/index.ts";

/** How a person types this program, and what puts its name on their PATH where it is not. */
export interface CalledAs {
  readonly name: string;
  readonly install: string | undefined;
}

/** By its name where PATH leads to this very program; else by its path, which works in every folder. */
export function calledAs(path: string | undefined): CalledAs {
  if (leadsHere(path)) return { name: "espalier", install: undefined };
  return { name: shellWord(PROGRAM), install: `npm install -g ${shellWord(PACKAGE_ROOT)}` };
}
