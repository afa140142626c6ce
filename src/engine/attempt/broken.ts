import { because, type LossKind } from "../../ports/index.ts";
import { REASON_LENGTH } from "../../run/index.ts";
import { firstLine } from "../../text/index.ts";
import type { HeardWorld } from "../world.ts";
import { MachineLost } from "./execution.ts";
import type { Judged } from "./settle.ts";
import { verdict } from "./verdict.ts";

/** Ends of a machine that nobody asked for, and no other machine or program had. */
const BY_ITSELF: ReadonlySet<LossKind | undefined> = new Set([undefined, "anew", "silent"]);

/** What an attempt comes to that ended by what nobody expected. */
export function broken(error: unknown, { redact }: HeardWorld): Judged & { readonly finalMessage: string } {
  if (error instanceof MachineLost) {
    const { why, how, machine } = error.loss;
    const said = firstLine(redact(why), REASON_LENGTH);
    const reason = because("machine-lost", {
      said,
      ...(how === undefined ? {} : { how }),
      ...(machine === undefined ? {} : { machine }),
    });
    const suspect = error.begun && BY_ITSELF.has(how);
    return { ...verdict({ kind: "machine-lost", reason, suspect }, "crashed", { reason }), finalMessage: "" };
  }
  // What is thrown was not expected: it came in past the mask.
  const words = redact(error instanceof Error ? error.message : String(error));
  const reason = because("internal-error", { said: firstLine(words, REASON_LENGTH) });
  return { ...verdict({ kind: "needs-person", reason }, "failed", { reason }), finalMessage: "" };
}
