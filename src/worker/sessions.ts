import { join } from "node:path";
import { z } from "zod";
import { ownedFileCalls, readBounded } from "../adapters/file/index.ts";
import type { Order } from "../ports/index.ts";
import { write } from "./late-work.ts";

/** Sessions that are remembered, newest first. */
const MOST_SESSIONS = 500;
const MOST_BYTES = 1024 ** 2;

const keptShape = z.object({
  agent: z.string(),
  session: z.string(),
  repository: z.string(),
  /** What the folder was called that it was had in. */
  folder: z.string().regex(/^[0-9a-f]{24}$/),
});
const fileShape = z.object({ version: z.literal(1), sessions: z.array(keptShape) });

type Kept = z.infer<typeof keptShape>;

/** Sessions of agents on this machine whose work has arrived, across starts of its worker. */
export interface Sessions {
  /** The name of the folder that an order's session was had in; undefined where it has none, or none that is known here. */
  folderOf(order: Order): string | undefined;
  /** An order's agent has had this session in the folder of this name. Never throws. */
  keep(order: Order, session: string, folder: string): void;
}

/** Those of the worker that has this folder. */
export function createSessions(folder: string): Sessions {
  const path = join(folder, "sessions.json");
  const read = (): readonly Kept[] => {
    const bytes = readBounded(path, { maxBytes: MOST_BYTES, calls: ownedFileCalls });
    if (!bytes.ok) return [];
    try {
      return fileShape.parse(JSON.parse(Buffer.from(bytes.value).toString("utf8"))).sessions;
    } catch {
      return [];
    }
  };
  const isOf = (order: Order, session: string) => (one: Kept) =>
    one.session === session && one.agent === order.agent && one.repository === order.base?.repository;
  return {
    folderOf: order =>
      order.resume === undefined ? undefined : read().find(isOf(order, order.resume))?.folder,
    keep(order, session, name) {
      if (order.base === undefined) return;
      const isThis = isOf(order, session);
      const others = read().filter(one => !isThis(one));
      const own = { agent: order.agent, session, repository: order.base.repository, folder: name };
      const sessions = [own, ...others].slice(0, MOST_SESSIONS);
      try {
        write(path, `${JSON.stringify({ version: 1, sessions })}\n`);
      } catch {
        // It begins afresh then.
      }
    },
  };
}
