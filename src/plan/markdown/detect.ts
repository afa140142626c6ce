import type { Limits } from "../limits.ts";
import { readHead } from "../syntax/head.ts";
import { readFrontMatter, scanLines } from "../syntax/scan.ts";
import type { PlanFormat } from "../types.ts";

/** Heads looked at before deciding. */
const ENOUGH = 2000;

/** Which Markdown format a file is written in: by what its boxes carry, its path settling a draw. */
export function detectMarkdown(text: string, path: string, limits: Limits): PlanFormat {
  let speckit = 0;
  let numbered = 0;
  let house = 0;
  scanLines(
    text,
    readFrontMatter(text).after,
    limits.lineLength,
    line => {
      if (line.quoted || (line.kind !== "item" && line.kind !== "heading")) return true;
      const head = readHead(text, line.body, line.end, true, true);
      if (head.id === undefined || head.several) return true;
      if (head.shape === "number") {
        if (line.kind === "item" && head.box !== undefined) numbered++;
      } else if (line.kind === "item" && head.box !== undefined && /^T\d{3,4}[a-z]?$/.test(head.id))
        speckit++;
      else if (head.shape === "task" && (line.kind === "heading" || head.box !== undefined)) house++;
      return speckit + numbered + house < ENOUGH;
    },
    () => {},
  );
  const inKiro = path.includes(".kiro/");
  if (numbered > 0 && (inKiro || numbered > 2 * (house + speckit))) return "kiro";
  if (speckit > 0 && speckit >= house) return "spec-kit";
  return "tasks-md";
}
