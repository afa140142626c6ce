import type { Socket } from "node:net";
import type { StampedEvent } from "../../ports/index.ts";

/** Bytes a follower may be behind: beyond the first lines of agents are left out, beyond the second it is cut off. */
const QUIET = 1024 * 1024;
const CUT_OFF = 8 * 1024 * 1024;

/** Writes every event to a follower, one JSON object a line, until either side leaves; a slow one costs no memory. */
export function feed(
  socket: Socket,
  subscribe: (listener: (event: StampedEvent) => void) => () => void,
): void {
  const leave = subscribe(stamped => {
    const behind = socket.writableLength;
    if (behind > QUIET && stamped.event.type === "attempt-line") return;
    if (behind > CUT_OFF) socket.destroy();
    else socket.write(`${JSON.stringify(stamped)}\n`);
  });
  socket.on("close", leave);
}
