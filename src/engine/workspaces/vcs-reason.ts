import { because, type Reason, type VcsFailure } from "../../ports/index.ts";
import { firstLine } from "../../text/index.ts";

/** What version control could not do, as a reason. */
export function vcsReason({ kind, message }: VcsFailure): Reason {
  return because("vcs-failed", { kind, said: firstLine(message, 300) });
}
