import { requireApproval } from "../../host/approval/approval.ts";
import { tellApart } from "../../host/notify/apart.ts";
import { noticeCommands } from "../../host/notify/notifiers.ts";
import { EspalierError, EXIT, type Reason } from "../../ports/index.ts";
import { type Locale, reasonText, visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say, sayJson } from "../io.ts";
import { projectOf } from "../project.ts";
import { notifyWords } from "../views/words/notify-words.ts";

interface NotifyFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Why somebody was not told, as a person reads it. */
function textOf(why: string | Reason, locale: Locale): string {
  return typeof why === "string" ? why : reasonText(why, locale);
}

/** `espalier notify test`: one notice to everybody whom a run would tell, and what came of it. */
export async function notifyTest(io: Io, options: NotifyFlags): Promise<number> {
  const project = projectOf(io);
  const words = notifyWords(project.locale);
  const caller = callerOf(io);
  const approvals = await requireApproval(caller, project, noticeCommands(project.config), {
    yes: options.yes === true,
  });
  // Whoever asks for a test wants to see it, also in a pipe.
  const all = await tellApart({ ...caller, isTerminal: true }, project, approvals, {
    kind: "test",
    command: "espalier run",
  });
  if (all.length === 0) {
    const { message, hint } = words.nobody;
    throw new EspalierError("NOBODY_TOLD", message, { hint, exitCode: EXIT.usage });
  }
  if (options.json === true) {
    const rows = all.map(({ name, told }) => ({
      name,
      told: told.ok,
      ...(told.ok ? {} : { why: textOf(told.failure, "en") }),
    }));
    sayJson(io, { notifiers: rows });
  } else
    for (const { name, told } of all)
      say(
        io,
        told.ok ? words.told(name) : words.notTold(name, visible(textOf(told.failure, project.locale), 300)),
      );
  return all.every(({ told }) => told.ok) ? EXIT.done : EXIT.environment;
}
