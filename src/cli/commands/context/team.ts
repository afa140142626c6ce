import { EXIT } from "../../../ports/index.ts";
import { syncLogLine } from "../../../sync/index.ts";
import { visible, visibleLines } from "../../../text/index.ts";
import { type Io, say, sayJson, warn } from "../../io.ts";
import { readText } from "../delta/inputs.ts";
import { askContext, type Done, eventOf, openPlace, type Place } from "./ask.ts";

export interface UpdateOptions {
  readonly to: string;
  readonly session?: string;
  readonly proof?: "hash" | "word" | "none";
  readonly role?: string;
  readonly interests?: readonly string[];
  readonly lost?: boolean;
  readonly json?: boolean;
}

/** `espalier context update LABEL --to TEAMMATE`: the message it needs now; why it has its form goes to standard error. */
export async function update(io: Io, label: string, options: UpdateOptions): Promise<number> {
  const place = openPlace(io);
  const { to: teammate, json, ...said } = options;
  const { interests, ...facts } = said;
  const named = interests === undefined ? {} : { interests: [...interests] };
  const done = await askContext(place, { op: "update", label, teammate, ...facts, ...named });
  const { message } = done;
  if (json === true) sayJson(io, { message: message ?? null, events: done.events.map(({ event }) => event) });
  else {
    tellEvents(place, done, line => warn(io, line));
    if (message !== undefined) {
      say(io, io.stdout.isTTY === true ? visibleLines(message.text) : message.text);
      if (message.withTask) warn(io, place.words.withTask(visible(teammate, 80)));
      warn(io, place.words.answer(`espalier context ack ${visible(teammate, 80)}`));
    }
  }
  return message !== undefined || eventOf(done, "up-to-date") !== undefined ? EXIT.done : EXIT.failedTasks;
}

/** What happened, as the message log has it; that someone fetches its updates goes without saying. */
function tellEvents({ project }: Place, done: Done, tell: (line: string) => void): void {
  for (const { label, event } of done.events) {
    if (event.type === "withheld" && event.why === "fetches") continue;
    tell(syncLogLine(label, event, project.locale));
  }
}

/** Verdicts after which the teammate holds what it says, or is helped on. */
const GOOD: ReadonlySet<string> = new Set(["confirmed", "duplicate", "older", "partial", "undercounted"]);

/** `espalier context ack [TEAMMATE]`: takes in what a teammate said, from standard input. Exit 1 when it proves nothing. */
export async function ack(
  io: Io,
  teammate: string | undefined,
  options: { session?: string; json?: boolean },
): Promise<number> {
  const place = openPlace(io);
  const text = await readText(io, "-");
  const { session } = options;
  const done = await askContext(place, {
    op: "ack",
    text,
    ...(teammate === undefined ? {} : { teammate }),
    ...(session === undefined ? {} : { session }),
  });
  if (options.json === true)
    sayJson(
      io,
      done.events.map(({ label, event }) => ({ label, ...event })),
    );
  else tellEvents(place, done, line => say(io, line));
  const isGood = done.events.every(({ event }) => event.type !== "acked" || GOOD.has(event.verdict));
  return isGood && done.events.length > 0 ? EXIT.done : EXIT.failedTasks;
}

/** `espalier context leave TEAMMATE` and `context resume TEAMMATE`: it has ended; a person has answered its PAUSE. */
export async function settle(
  io: Io,
  op: "leave" | "resume",
  teammate: string,
  options: { label?: string },
): Promise<number> {
  const place = openPlace(io);
  const { label } = options;
  const done = await askContext(place, { op, teammate, ...(label === undefined ? {} : { label }) });
  tellEvents(place, done, line => say(io, line));
  if (op === "resume") say(io, place.words.goesOn(visible(teammate, 80)));
  return EXIT.done;
}
