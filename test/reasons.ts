import { because, type Reason } from "../src/ports/index.ts";
import { reasonText } from "../src/text/index.ts";

/** Words of an agent as a reason. */
export function agentSaid(text: string): Reason {
  return because("said", { by: "agent", text });
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
