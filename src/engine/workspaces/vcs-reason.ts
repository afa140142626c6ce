import { because, type Reason, type VcsFailure } from "../../ports/index.ts";
import { firstLine } from "../../text/index.ts";

/** What version control could not do, as a reason. */
export function vcsReason({ kind, reason }: VcsFailure): Reason {
  if (reason.code !== "said") return reason;
  return because("vcs-failed", { kind, said: firstLine(reason.args.text, 300) });
}
