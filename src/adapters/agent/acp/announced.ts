import { type Fields, fields, list, text } from "../fields.ts";

/** Calls that are remembered: a turn that makes more has forgotten the oldest. */
const MOST_CALLS = 1_000;
/** Places of one call that are remembered. */
const MOST_PLACES = 100;
/** Characters of a call's arguments that are remembered. */
const MOST_KEPT = 10_000;

/** What is told of the tool calls of a turn, piece by piece, and which of them were asked for. */
export interface Announced {
  /** Hears an update of a call; returns all that is known of it now. */
  hear(update: Fields): Fields;
  /** A request about a call with what it leaves out: many ask by the call's id alone. */
  complete(call: Fields): Fields;
  wasAsked(id: string): boolean;
}

/** The command of a call, as it was told. */
export function commandOf(call: Fields): string {
  const { command } = fields(call["rawInput"]);
  return Array.isArray(command) ? list(command).map(text).join(" ") : text(command);
}

/** What the agent itself calls the tool, as Qwen Code adds it. */
export function toolName(call: Fields): string {
  return text(fields(call["_meta"])["toolName"]);
}

/** What a permission is decided by, where it is told; absent, null and empty fields are left out. */
function told(call: Fields): Fields {
  const { kind, title, name, locations } = call;
  const command = commandOf(call);
  const tool = toolName(call);
  return {
    ...(text(kind) === "" ? {} : { kind }),
    ...(text(title) === "" ? {} : { title: text(title).slice(0, MOST_KEPT) }),
    ...(text(name) === "" ? {} : { name }),
    ...(list(locations).length === 0 ? {} : { locations: list(locations).slice(0, MOST_PLACES) }),
    ...(command === "" ? {} : { rawInput: { command: command.slice(0, MOST_KEPT) } }),
    ...(tool === "" ? {} : { _meta: { toolName: tool } }),
  };
}

export function createAnnounced(): Announced {
  const calls = new Map<string, Fields>();
  const asked = new Set<string>();
  return {
    hear(update) {
      const id = text(update["toolCallId"]);
      const call = { ...calls.get(id), ...told(update) };
      calls.set(id, call);
      const [oldest] = calls.keys();
      if (calls.size > MOST_CALLS && oldest !== undefined) calls.delete(oldest);
      return call;
    },
    complete(call) {
      const id = text(call["toolCallId"]);
      if (id !== "") asked.add(id);
      return { ...calls.get(id), ...told(call), toolCallId: id };
    },
    wasAsked: id => asked.has(id),
  };
}
