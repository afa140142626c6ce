import { z } from "zod";
import { ownedFileCalls, readBounded, writeAtomic } from "../../adapters/file/index.ts";
import { objectId } from "../../fleet/index.ts";
import { hubNote } from "../project/invocation.ts";

const conductedShape = z.object({
  run: z.string(),
  epoch: z.int(),
  /** The hub's address. */
  url: z.exactOptional(z.string()),
  /** The copy that the state of this folder was brought from, until the run is conducted with it. */
  copy: z.exactOptional(objectId),
  /** Who has taken the run over since, as far as this folder has heard; both empty where it does not know who. */
  by: z.exactOptional(z.object({ name: z.string(), host: z.string() })),
});

/** By which epoch of which hub this folder conducted a run last. */
export type Conducted = z.output<typeof conductedShape>;

/** Keeps it. Where that fails, nobody is warned of a newer coordinator later. */
export function noteConducted(stateDir: string, conducted: Conducted): void {
  const text = JSON.stringify(z.encode(conductedShape, conducted));
  writeAtomic(hubNote(stateDir), text, { calls: ownedFileCalls });
}

export function readConducted(stateDir: string): Conducted | undefined {
  const bytes = readBounded(hubNote(stateDir), { maxBytes: 4096, calls: ownedFileCalls });
  if (!bytes.ok) return undefined;
  try {
    return z.parse(conductedShape, JSON.parse(Buffer.from(bytes.value).toString("utf8")));
  } catch {
    return undefined;
  }
}

/** Where a run goes on that another machine has taken from this folder. */
export interface TakenAway {
  /** The hub's address. */
  readonly url: string;
  /** Empty where it is not known. */
  readonly host: string;
}

/** Whether another machine conducts a run that this folder conducted, as far as that was heard here. */
export function takenAway(stateDir: string, run: string): TakenAway | undefined {
  const own = readConducted(stateDir);
  if (own?.run !== run || own.by === undefined || own.url === undefined) return undefined;
  return { url: own.url, host: own.by.host };
}
