import { fail, type Notifier, ok, type Reason } from "../../ports/index.ts";
import { type Locale, noticeJson, noticeText } from "../../text/index.ts";

/** How the project's own command is run: approved, under limits, with these variables besides the usual ones, and its input; what it failed by. */
export type RunNotice = (
  command: string,
  env: Readonly<Record<string, string>>,
  input: string,
  over: AbortSignal | undefined,
) => Promise<Reason | undefined>;

/** Tells a command of the project's own. What it is told stands in its environment and input, never in its arguments. */
export function createCommandNotifier(command: string, locale: Locale, run: RunNotice): Notifier {
  return {
    portVersion: 2,
    name: "command",
    async notify(message, over) {
      const text = noticeText(message, locale);
      const told = { ESPALIER_NOTICE: JSON.stringify(noticeJson(message)), ESPALIER_NOTICE_TEXT: text };
      const problem = await run(command, told, `${text}\n`, over);
      return problem === undefined ? ok(undefined) : fail(problem);
    },
  };
}
