import type { Hub, Message } from "./hub.ts";

/** Bytes a slow page may be behind before it is cut off; it comes back and asks for what it missed. */
const MAX_BEHIND = 4 * 1024 * 1024;
/** Milliseconds between two signs of life. */
const PULSE = 15_000;

/** A proxy that gathers before it hands on would keep the page behind. */
const HEADERS = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };

function encode(message: Message): string {
  const id = message.type === "change" ? `id: ${message.id}\n` : "";
  const data = message.type === "reset" ? "{}" : JSON.stringify(message.data);
  return `${id}event: ${message.type}\ndata: ${data}\n\n`;
}

/**
 * The hub's messages as server-sent events. What agents say is dropped for a page that does not keep up; a page that is
 * far behind is cut off. `onEnd` is called once.
 */
export function eventStream(
  hub: Hub,
  wish: {
    readonly task: string | undefined;
    readonly since: string | undefined;
    readonly signal: AbortSignal;
    /** Whoever looks on can answer agents. */
    readonly mayAnswer: boolean;
  },
  onEnd: () => void,
): Response {
  const encoder = new TextEncoder();
  let end = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let ended = false;
        const pulse = setInterval(() => send(": alive\n\n"), PULSE);
        end = () => {
          if (ended) return;
          ended = true;
          clearInterval(pulse);
          leave();
          try {
            controller.close();
          } catch {
            // The page has gone already.
          }
          onEnd();
        };
        const send = (text: string) => {
          if (!ended) controller.enqueue(encoder.encode(text));
        };
        let leave = () => {};
        send(": hello\n\n");
        leave = hub.join(
          {
            task: wish.task,
            mayAnswer: wish.mayAnswer,
            hear: message => {
              const room = controller.desiredSize ?? 0;
              if (message.type === "output" && room < MAX_BEHIND / 2) return;
              if (room <= 0) end();
              else send(encode(message));
            },
          },
          wish.since,
        );
        wish.signal.addEventListener("abort", () => end());
        if (wish.signal.aborted) end();
      },
      cancel: () => end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_BEHIND }),
  );
  return new Response(body, { headers: HEADERS });
}
