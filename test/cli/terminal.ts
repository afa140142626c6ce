import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import type { Lab } from "./lab.ts";

/** Runs a command in a terminal of its own, presses the keys of each step once all words of its question stand there, and prints all. */
const TERMINAL = `
import fcntl, json, os, pty, struct, sys, termios, time
pid, master = pty.fork()
if pid == 0:
    os.execvp("sh", ["sh", "-c", sys.argv[1]])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[3]), 0, 0))
steps = [([word.encode() for word in words], keys, *after) for words, keys, *after in json.loads(sys.argv[2])]
shown = b""
begin = 0
while True:
    try:
        piece = os.read(master, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if steps and all(word in shown[begin:] for word in steps[0][0]):
        begin = len(shown)
        step = steps.pop(0)
        time.sleep(sum(step[2:]))
        for key in step[1].encode().decode("unicode_escape").encode("latin1"):
            os.write(master, bytes([key]))
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Whether this machine can make a terminal for a test. */
export const HAS_TERMINAL: boolean = spawnSync("python3", ["-c", "import pty"]).status === 0;

/** A call in a terminal that answers questions, each known by its words, with keys, at once or after seconds; what it showed and its exit code. */
export async function conversed(
  lab: Lab,
  args: readonly string[],
  steps: readonly (readonly [words: readonly string[], keys: string, after?: number])[],
  columns = 120,
): Promise<{ readonly shown: string; readonly code: number | null }> {
  const given = [`exec ${lab.line(args)}`, JSON.stringify(steps), `${columns}`];
  const child = spawn("python3", ["-c", TERMINAL, ...given], {
    cwd: lab.root,
    env: { ...lab.env, TERM: "xterm" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>(resolve => child.once("close", resolve));
  const shown = stripVTControlCharacters(await text(child.stdout));
  return { shown, code: await ended };
}

/** The same with one question. */
export function answered(
  lab: Lab,
  args: readonly string[],
  words: readonly string[],
  keys: string,
): ReturnType<typeof conversed> {
  return conversed(lab, args, [[words, keys]]);
}
