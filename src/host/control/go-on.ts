import { spawn } from "node:child_process";
import { once } from "node:events";
import { createByteTail, pause } from "../../adapters/process/index.ts";
import { type ControlReply, replyWith } from "../../engine/control/protocol.ts";
import { because, type Reason } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import { PROGRAM } from "../package.ts";
import type { Project } from "../project/project.ts";
import { redactorOf } from "../project/secrets.ts";
import { askRunning } from "./running.ts";

/** Milliseconds within which a run that goes on listens. */
const PATIENCE = 20_000;
/** Milliseconds between two looks. */
const LOOK = 100;
/** Bytes of what it says that are kept. */
const SAID = 4_000;

/**
 * Starts `espalier resume` in a process of its own, which outlives this one. Nobody can be asked there: a command that is not
 * approved yet is the answer, as everything else that keeps it from running.
 */
export async function goOn(project: Project, env: NodeJS.ProcessEnv): Promise<ControlReply> {
  // What was killed leaves its socket behind.
  const runs = async () => (await askRunning(project, { method: "ping" })) !== undefined;
  if (await runs()) return replyWith(false, because("runs-already", {}));
  const child = spawn(process.execPath, [PROGRAM, "resume"], {
    cwd: project.root,
    env: { ...env, NO_COLOR: "1" },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  const said = createByteTail(SAID);
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const ended = once(child, "close").then(
    () => true,
    () => true,
  );
  const until = performance.now() + PATIENCE;
  let isOver = false;
  while (!isOver && performance.now() < until) {
    if (await runs()) {
      // What it has to say from now on stands in the log and the state.
      child.stderr.destroy();
      child.unref();
      return replyWith(true, because("goes-on", {}));
    }
    isOver = await Promise.race([ended, pause(LOOK).then(() => false)]);
  }
  const words = redactorOf(env, project.root)(said.text().trim());
  return replyWith(false, whyNot(words));
}

/** Why the run does not go on, by what the command said last. */
export function whyNot(words: string): Reason {
  const cause = causeIn(words);
  // What it has shown to be read went to nobody.
  if (cause.startsWith("APPROVAL_NEEDED: ")) return because("goes-on-unapproved", {});
  return because("does-not-go-on", { said: visible(cause, 600) });
}

/** What kept a command from running, in one line: its error, without what was shown before it. */
export function causeIn(words: string): string {
  const lines = words.split("\n").map(line => line.trim());
  const error = lines.findLastIndex(line => /^[A-Z][A-Z_]{2,40}: /.test(line));
  return lines.slice(Math.max(0, error)).join(" · ");
}
