import { connect } from "node:net";
import { z } from "zod";
import type { StampedEvent } from "../../ports/index.ts";
import { ControlReply } from "./protocol.ts";

/** Characters one event may have; a longer line ends the connection. */
const MAX_EVENT = 1024 * 1024;

const Stamped = z.object({
  seq: z.int(),
  at: z.number(),
  event: z.looseObject({ type: z.string().max(40) }),
});

export interface Following {
  /** Resolves when the other side has left or never listened; never rejects. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Hears every event of the process that listens at that path. `onOpen` is called once it has agreed, with whether the run is held. */
export function followControl(
  path: string,
  onOpen: (held: boolean) => void,
  onEvent: (event: StampedEvent) => void,
): Following {
  const socket = connect(path);
  const ended = new Promise<void>(resolve => {
    socket.on("close", () => resolve());
  });
  let open = false;
  let parts: string[] = [];
  let length = 0;

  const take = (line: string) => {
    const json: unknown = JSON.parse(line);
    if (open) {
      const event = Stamped.safeParse(json);
      if (event.success) onEvent(event.data as unknown as StampedEvent);
      return;
    }
    const reply = ControlReply.parse(json);
    open = reply.ok;
    if (open) onOpen(reply.ok && reply.held === true);
    else socket.destroy();
  };
  const collect = (chunk: string) => {
    const lines = chunk.split("\n");
    const rest = lines.pop()!;
    for (const line of lines) {
      take(parts.join("") + line);
      parts = [];
      length = 0;
    }
    parts.push(rest);
    length += rest.length;
    if (length > MAX_EVENT) socket.destroy();
  };

  socket.setEncoding("utf8");
  socket.on("error", () => socket.destroy());
  socket.on("connect", () => socket.write(`${JSON.stringify({ method: "follow" })}\n`));
  socket.on("data", (chunk: string) => {
    try {
      collect(chunk);
    } catch {
      // Whoever speaks another protocol has nothing to say to us.
      socket.destroy();
    }
  });
  return { ended, close: () => socket.destroy() };
}

/** Is there to answer agents' questions until closed, or until the other side leaves. */
export function attendControl(path: string): { close(): void } {
  const socket = connect(path, () => socket.write(`${JSON.stringify({ method: "attend" })}\n`));
  socket.on("error", () => socket.destroy());
  socket.resume();
  return { close: () => socket.destroy() };
}
