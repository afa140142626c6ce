import type { Trouble } from "../../host/run/aftermath.ts";
import { visible } from "../../text/index.ts";
import type { Look } from "./look.ts";
import { section } from "./section.ts";
import { NOTICE } from "./terminal/marks.ts";

/** Characters of what failed that are shown. */
const LENGTH = 600;

/** What still stands of what failed besides the tasks: checks that failed before hold up nothing any more once all is done. */
export function standing(troubles: readonly Trouble[] | undefined, complete: boolean): readonly Trouble[] {
  return (troubles ?? []).filter(({ kind }) => kind !== "broken-before" || !complete);
}

/** What failed besides the tasks, with the reason of each. */
export function troubleLines(troubles: readonly Trouble[], look: Look): string[] {
  return section(look.words.headings.troubles, troubles, look, ({ reason }) => [
    `  ${look.paint("yellow", NOTICE.sign)} ${visible(look.words.reason(reason), LENGTH)}`,
  ]);
}
