import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { type ControlReply, type ControlRequest, replyText } from "../../engine/control/protocol.ts";
import type { Asked } from "../../engine/index.ts";
import { because } from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import type { Monitor } from "../../server/index.ts";
import { askedLines } from "../views/asked-lines.ts";
import type { LiveModel, Moment } from "../views/live/live-model.ts";
import { type Typed, typedLine, typeOn } from "../views/live/typed-line.ts";
import { choices, type WatchFacts, watchFrame } from "../views/live/watch-frame.ts";
import { readKeys, type WatchKey } from "../views/live/watch-keys.ts";
import type { Look } from "../views/look.ts";
import type { Words } from "../views/words/words.ts";

/** A run that a person looks at and steers with keys. */
interface SteeringOptions {
  readonly monitor: Pick<Monitor, "act" | "link">;
  readonly words: Words;
  /** Who acts, as events name them. */
  readonly by: string;
  /** The keys, as the last line names them: all, where there is little room, and beside what is known of a task. */
  readonly keys: () => readonly [all: string, few: string, detail: string];
  /** What is known of a task, in lines. */
  readonly detail: (task: string, look: Look) => readonly string[];
  readonly besides: () => Pick<WatchFacts, "budget" | "copies" | "machines">;
  /** Something else is to be seen now. */
  readonly changed: () => void;
  /** The person wants no more of it; what comes of that is a note. */
  readonly quit: () => string;
}

export interface Steering {
  /** The picture of the run with what keys act on, and what came of them. */
  frame(run: RunState, model: LiveModel, moment: Omit<Moment, "hint">, look: Look): readonly string[];
  /** Takes what a terminal sent. */
  input(bytes: string): void;
}

/** What the person looks at. */
interface Looking {
  chosen: string;
  detail: boolean;
  scroll: number;
  /** What came of the last key, and since when it stands there. */
  note: string;
  noted: number;
  typed: Typed | undefined;
}

/** Milliseconds for which a question has to stand there before a key answers it: one that comes up under a finger is not meant. */
const SEEN = 500;
/** Milliseconds for which it is told what came of a key: what it says may be over later. */
const NOTED = 30_000;
/** Rows that the picture of the run and other lines have beside a question. */
const BESIDE = 8;

/** What came of the last key, while that is news. */
function noteOf({ note, noted }: Pick<Looking, "note" | "noted">, now: number): string {
  return now - noted < NOTED ? note : "";
}

/** The request a key stands for; undefined where it asks for nothing of the run. */
function requestOf(
  key: WatchKey,
  status: string | undefined,
  id: string,
  { held, by }: { readonly held: boolean; readonly by: string },
): ControlRequest | undefined {
  if (key === "hold") return { method: "hold", held: !held, by };
  if (status === undefined || (key !== "retry" && key !== "pause")) return undefined;
  const rests = status === "paused" || status === "waiting";
  const action = key === "retry" ? "retry" : rests ? "resume" : "pause";
  return { method: "act", action, task: id, note: "", by };
}

/** Keys that choose a task, show it, and act on it and on the run: the same wherever a run is shown. */
export function createSteering(options: SteeringOptions): Steering {
  const { monitor, words, by, changed } = options;
  const looking: Looking = { chosen: "", detail: false, scroll: 0, note: "", noted: 0, typed: undefined };
  let shown: RunState | undefined;
  /** The question that stands on the screen, to its end, and since when. */
  let asking: { readonly asked: Asked; readonly since: number; readonly isWhole: boolean } | undefined;

  const note = (text: string) => {
    looking.note = text;
    looking.noted = SYSTEM_CLOCK.monotonic();
  };
  const textOf = (reply: ControlReply | undefined) =>
    reply === undefined ? words.watch.notRunning : replyText(reply, words.locale);
  const statusOf = (id: string) => shown?.byId.get(id)?.status;
  const move = (by: number) => {
    if (looking.detail) looking.scroll = Math.max(0, looking.scroll + by);
    else if (shown !== undefined) {
      const all = choices(shown).map(state => state.task.id);
      const at = all.indexOf(looking.chosen) + by;
      looking.chosen = all[Math.max(0, Math.min(all.length - 1, at))] ?? "";
    }
  };
  const ask = async (request: ControlRequest) => {
    const reply = await monitor.act(request);
    note(textOf(reply));
    changed();
  };
  const answer = async (allowed: boolean) => {
    if (asking === undefined || !asking.isWhole || SYSTEM_CLOCK.monotonic() - asking.since < SEEN) return;
    const { id, task } = asking.asked;
    asking = undefined;
    const reply = await monitor.act({ method: "permit", id, allowed, by });
    const told = allowed ? words.watch.allowed : words.watch.refused;
    note(reply?.ok === true ? `${task}: ${told}` : textOf(reply));
    changed();
  };
  /** What the agent of the chosen task asks for, else what is asked for longest; in lines. */
  const questionLines = (moment: Pick<Moment, "monotonic" | "rows">, look: Look): readonly string[] => {
    const open = monitor.link().asked;
    const asked = open.find(({ task }) => task === looking.chosen) ?? open[0];
    if (asked === undefined) {
      asking = undefined;
      return [];
    }
    const { lines, isWhole } = askedLines(asked, Math.max(1, moment.rows - BESIDE), look);
    const since = asking?.asked.id === asked.id && asking.isWhole ? asking.since : moment.monotonic;
    asking = { asked, since, isWhole };
    return lines;
  };
  const beginTyping = () => {
    const { chosen: task } = looking;
    if (!monitor.link().live) note(words.watch.notRunning);
    else if (statusOf(task) === "in_progress") looking.typed = { task, text: "" };
    else note(words.reason(because("not-at-work", { task })));
  };
  const type = ({ task, text: before }: Typed, bytes: string) => {
    const typing = typeOn(before, bytes);
    looking.typed = typing.kind === "open" ? { task, text: typing.text } : undefined;
    if (typing.kind === "send" && typing.text !== "")
      void ask({ method: "tell", task, text: typing.text, by });
  };
  const press = (key: WatchKey) => {
    note("");
    if (key === "quit") note(options.quit());
    else if (key === "tell") beginTyping();
    else if (key === "allow" || key === "refuse") void answer(key === "allow");
    else if (key === "up" || key === "down") move(key === "up" ? -1 : 1);
    else if (key === "open" || key === "back") {
      looking.detail = key === "open";
      looking.scroll = 0;
    } else {
      const facts = { held: monitor.link().held, by };
      const request = requestOf(key, statusOf(looking.chosen), looking.chosen, facts);
      if (request !== undefined) void ask(request);
    }
  };

  const detailFrame = (
    { rows, monotonic }: Pick<Moment, "rows" | "monotonic">,
    look: Look,
  ): readonly string[] => {
    const lines = options.detail(looking.chosen, look);
    looking.scroll = Math.max(0, Math.min(looking.scroll, lines.length - rows + 3));
    const { typed, scroll } = looking;
    const keys = typed === undefined ? options.keys()[2] : words.watch.typingKeys;
    const said = typed === undefined ? ` ${noteOf(looking, monotonic)}` : typedLine(typed, look);
    return [...lines.slice(scroll, scroll + rows - 3), said, ` ${keys}`.slice(0, look.width)];
  };

  return {
    frame(run, model, moment, look) {
      shown = run;
      const chosen = run.byId.get(looking.chosen) ?? choices(run)[0];
      looking.chosen = chosen?.task.id ?? "";
      if (looking.detail) {
        asking = undefined;
        return detailFrame(moment, look);
      }
      const [keys, fewKeys] = options.keys();
      const { live, held } = monitor.link();
      const { typed } = looking;
      const note = noteOf(looking, moment.monotonic);
      const asked = questionLines(moment, look);
      return watchFrame(
        { run, model, moment, live, held, ...options.besides(), chosen, asked, note, typed, keys, fewKeys },
        look,
      );
    },
    input(bytes) {
      if (looking.typed !== undefined) type(looking.typed, bytes);
      else
        for (const key of readKeys(bytes)) {
          press(key);
          // What came with it are words, not keys.
          if (key === "tell") break;
        }
      changed();
    },
  };
}
