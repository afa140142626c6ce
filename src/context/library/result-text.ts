import { scanOutput } from "../../tree/index.ts";

/** A final message as others read it: without blocks, requests and the signal at its end. */
export function resultText(finalMessage: string): string {
  return withoutSignal(scanOutput(finalMessage).rest);
}

/** What was said before the signal at its end. */
export function withoutSignal(said: string): string {
  const text = said.trimEnd();
  const from = text.lastIndexOf("\n") + 1;
  const isSignal = text.startsWith("DONE:", from) || text.startsWith("FAIL:", from);
  return (isSignal ? text.slice(0, from) : text).trim();
}
