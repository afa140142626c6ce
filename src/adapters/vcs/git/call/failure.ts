import { because, fail, type Reason, type Result, type VcsFailure } from "../../../../ports/index.ts";

/** Version control did not do something; trying again may help. */
export function failed(reason: Reason): Result<never, VcsFailure> {
  return fail({ kind: "failed", reason });
}

/** What the operating system said. */
export function failedBySystem(text: string): Result<never, VcsFailure> {
  return failed(because("said", { by: "system", text }));
}

/** The words of git or of the system; empty where the reason is one of ours. */
export function saidIn({ reason }: VcsFailure): string {
  return reason.code === "said" ? reason.args.text : "";
}
