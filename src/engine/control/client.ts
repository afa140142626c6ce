import { connect } from "node:net";
import { because } from "../../ports/index.ts";
import {
  Challenge,
  ControlReply,
  type ControlRequest,
  MAX_CONTEXT,
  MAX_REQUEST,
  replyWith,
  shownFor,
} from "./protocol.ts";

/** Milliseconds to wait for an answer. */
const PATIENCE = 5000;

/** Shows a word where no other process can; what it returns takes it down again. */
export type Show = (word: string) => Promise<{ readonly pid: number; done(): void }>;

export interface AskOptions {
  /** Milliseconds to wait for an answer. */
  readonly patience?: number | undefined;
  /** Who decides is asked to show who it is. */
  readonly show?: Show | undefined;
}

/**
 * Asks the process that holds the lock. Undefined when nobody listens at that path, or whoever did has just left; one
 * that listens and says nothing is an answer of its own.
 */
export function askControl(
  path: string,
  request: ControlRequest,
  { patience = PATIENCE, show }: AskOptions = {},
): Promise<ControlReply | undefined> {
  const line = `${JSON.stringify(request)}\n`;
  const isLarge = request.method === "context" || request.method === "worker";
  const most = isLarge ? MAX_CONTEXT : MAX_REQUEST;
  if (line.length > most) {
    const message = `the request has ${line.length} characters, the running process takes ${most}`;
    return Promise.resolve({ ok: false, message });
  }
  return new Promise(resolve => {
    const socket = connect(path);
    let connected = false;
    let answer = "";
    let shown: ReturnType<Show> | undefined;
    const finish = () => {
      socket.destroy();
      void shown?.then(one => one.done());
      shown = undefined;
      try {
        resolve(ControlReply.parse(JSON.parse(answer)));
      } catch {
        resolve(undefined);
      }
    };
    socket.setEncoding("utf8");
    socket.setTimeout(patience, () => {
      socket.destroy();
      resolve(connected ? replyWith(false, because("run-silent", {})) : undefined);
    });
    socket.on("error", finish);
    socket.on("connect", () => {
      connected = true;
      socket.write(line);
    });
    socket.on("data", (chunk: string) => {
      answer += chunk;
      if (answer.length > most) return finish();
      const word = shown === undefined && show !== undefined ? challengeIn(answer) : undefined;
      if (word === undefined) return;
      answer = "";
      // It is our turn, behind others of this process.
      socket.setTimeout(0);
      shown = show!(shownFor(word, line.trimEnd()));
      void shown.then(one => {
        socket.setTimeout(patience);
        socket.write(`${JSON.stringify({ pid: one.pid })}\n`);
      });
    });
    socket.on("end", finish);
    socket.on("close", finish);
  });
}

/** The word of a challenge, once its line is there. */
function challengeIn(answer: string): string | undefined {
  if (!answer.startsWith('{"show"') || !answer.endsWith("\n")) return undefined;
  try {
    return Challenge.safeParse(JSON.parse(answer)).data?.show;
  } catch {
    return undefined;
  }
}
