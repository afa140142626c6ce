import { because, type Reason, type ReasonArgs } from "../src/ports/index.ts";
import { reasonText } from "../src/text/index.ts";

/** Words of somebody else as a reason. */
export function saidBy(by: ReasonArgs["said"]["by"], text: string): Reason {
  return because("said", { by, text });
}

/** Words of an agent as a reason. */
export function agentSaid(text: string): Reason {
  return saidBy("agent", text);
}

/** A reason in English. */
export function inEnglish(reason: Reason | undefined): string {
  return reasonText(reason, "en");
}

/** Stands for any reason that people read so in English; typed as what it stands for. */
export function told(text: string): Reason {
  const matcher = {
    asymmetricMatch: (reason: Reason | undefined) => inEnglish(reason) === text,
    toString: () => `told(${JSON.stringify(text)})`,
  };
  return matcher as unknown as Reason;
}
