import type { RunShape } from "../../../src/server/shapes/run.ts";
import type { ChangeMessage, EventsShape, OutputMessage } from "../../../src/server/shapes/stream.ts";
import { ApiError, ask, hasToken, read, renewToken } from "./api.ts";
import { clearTail, setEvents, setLine, setShape, takeChange, takeOutput } from "./run.ts";
import { createParser, type Sent } from "./sse.ts";

/** Milliseconds without a sign of life after which a stream is taken for dead; the server gives one every 15 seconds. */
const SILENCE = 40_000;
const RETRY = [250, 500, 1000, 2000, 4000];

let revision = "";
let followed = "";
let abort = new AbortController();
let failures = 0;
/** What was loaded is not what is wanted any more. */
let isStale = false;
/** Ends the pause before the next try. */
let wake = () => {};

async function load(): Promise<void> {
  const shape = await read<RunShape>("run");
  setShape(shape);
  revision = shape.revision;
  const { events } = await read<EventsShape>("events");
  setEvents(events);
}

/** Returns whether the state must be loaded anew. */
function take({ id, event, data }: Sent): boolean {
  if (event === "reset") return true;
  const message = JSON.parse(data) as ChangeMessage & OutputMessage;
  if (event === "change") takeChange(message);
  else takeOutput(message);
  if (id !== "") revision = id;
  return false;
}

async function listen(signal: AbortSignal): Promise<void> {
  const query = followed === "" ? "" : `?${new URLSearchParams({ task: followed }).toString()}`;
  const response = await ask(`/api/stream${query}`, { signal, headers: { "last-event-id": revision } });
  if (!response.ok || response.body === null) throw new ApiError(response.status, response.statusText);
  setLine("live");
  failures = 0;
  let stale = false;
  const parse = createParser(sent => {
    stale = take(sent) || stale;
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const timer = setTimeout(() => void reader.cancel(), SILENCE);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    parse(value);
    if (!stale) continue;
    void reader.cancel();
    await load();
    return;
  }
}

async function pause(): Promise<void> {
  const ms = RETRY[Math.min(failures++, RETRY.length - 1)] ?? 1000;
  await new Promise<void>(resolve => {
    wake = resolve;
    setTimeout(resolve, ms);
  });
}

/** Asks anew, with the token that there is now. */
export function startOver(): void {
  renewToken();
  setLine("connecting");
  wake();
  abort.abort();
}

/** Reads the run as a whole again. */
export function loadAnew(): void {
  isStale = true;
  wake();
  abort.abort();
}

/** Keeps the page up to date for as long as it is open. */
export async function keepUp(): Promise<never> {
  addEventListener("hashchange", () => {
    if (/^#(?:token|view)=/.test(location.hash)) startOver();
  });
  for (;;) {
    const { signal } = abort;
    try {
      if (revision === "" || isStale) {
        isStale = false;
        await load();
      }
      await listen(signal);
    } catch (error) {
      if (!signal.aborted) {
        const refused = error instanceof ApiError && error.status === 401;
        setLine(refused ? (hasToken() ? "denied" : "keyless") : "lost");
        await pause();
      }
    }
    if (abort.signal.aborted) abort = new AbortController();
  }
}

/** Follows what the agent of one task says; an empty id follows none. */
export function follow(task: string): void {
  if (task === followed) return;
  followed = task;
  clearTail();
  abort.abort();
}
