import { fail, type Notifier, ok } from "../../ports/index.ts";
import { type Locale, noticeJson, noticeText } from "../../text/index.ts";

/** How the project's own command is run: approved, under limits, with these variables besides the usual ones. */
export type RunNotice = (
  command: string,
  env: Readonly<Record<string, string>>,
) => Promise<string | undefined>;

/** Tells a command of the project's own. What it is told stands in its environment, never in its arguments. */
export function createCommandNotifier(command: string, locale: Locale, run: RunNotice): Notifier {
  return {
    portVersion: 1,
    name: "command",
    async notify(notice) {
      const problem = await run(command, {
        ESPALIER_NOTICE: JSON.stringify(noticeJson(notice)),
        ESPALIER_NOTICE_TEXT: noticeText(notice, locale),
      });
      return problem === undefined ? ok(undefined) : fail(`notify.command: ${problem}`);
    },
  };
}
