import { setFlagsFromString } from "node:v8";

/**
 * Has garbage collected early from now on. A run keeps some twenty megabytes and may last for hours beside its agents: left
 * to itself, the collector lets the heap of a machine with much memory grow to ten times that. Every process that is started
 * copies the page tables of this one, so what collecting costs is saved there.
 */
export function keepHeapSmall(): void {
  // The young generation stays as large as it is by now, and the old one is looked through when it has doubled.
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=100");
}
