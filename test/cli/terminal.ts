import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import type { Lab } from "./lab.ts";

/** Runs a command in a terminal of its own, presses the keys once all words of the question stand there, and prints all. */
const TERMINAL = `
import fcntl, os, pty, struct, sys, termios
pid, master = pty.fork()
if pid == 0:
    os.execvp("sh", ["sh", "-c", sys.argv[1]])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
words = [os.fsencode(word) for word in sys.argv[3:]]
shown = b""
answered = False
while True:
    try:
        piece = os.read(master, 65536)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if not answered and all(word in shown for word in words):
        answered = True
        for key in sys.argv[2].encode().decode("unicode_escape").encode("latin1"):
            os.write(master, bytes([key]))
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Whether this machine can make a terminal for a test. */
export const HAS_TERMINAL: boolean = spawnSync("python3", ["-c", "import pty"]).status === 0;

/** A call in a terminal that answers a question, known by its words, with keys; what it showed and its exit code. */
export async function answered(
  lab: Lab,
  args: readonly string[],
  words: readonly string[],
  keys: string,
): Promise<{ readonly shown: string; readonly code: number | null }> {
  const child = spawn("python3", ["-c", TERMINAL, `exec ${lab.line(args)}`, keys, ...words], {
    cwd: lab.root,
    env: { ...lab.env, TERM: "xterm" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>(resolve => child.once("close", resolve));
  const shown = stripVTControlCharacters(await text(child.stdout));
  return { shown, code: await ended };
}
