import { scanOutput } from "../../tree/index.ts";

/** A final message as others read it: without blocks, requests and the signal at its end. */
export function resultText(finalMessage: string): string {
  const text = scanOutput(finalMessage).rest.trimEnd();
  const from = text.lastIndexOf("\n") + 1;
  const isSignal = text.startsWith("DONE:", from) || text.startsWith("FAIL:", from);
  return (isSignal ? text.slice(0, from) : text).trim();
}
