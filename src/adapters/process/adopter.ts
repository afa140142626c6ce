import { spawn } from "node:child_process";
import { lineOf } from "./line.ts";

/** Starts a process, lets its parent end, and leaves it with whoever has taken it in. */
const ORPHAN = "cat <&3 >&2 & echo $!";

/** The process that takes in the orphans of this one: the first, or a service manager or terminal that asked for them. */
export async function adopterOf(): Promise<number> {
  try {
    const child = spawn("/bin/sh", ["-c", ORPHAN], {
      stdio: ["ignore", "pipe", "ignore", "pipe"],
      env: { PATH: "/bin:/usr/bin" },
    });
    let said = "";
    child.stdout?.on("data", chunk => {
      said += String(chunk);
    });
    await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    // What it said may come after its end; it is a pipe that holds a number by now.
    if (said === "") await new Promise(resolve => child.stdout?.once("data", resolve));
    const [, adopter] = await lineOf(Number(said));
    child.stdio[3]?.destroy();
    child.stdout?.destroy();
    return adopter?.pid ?? 1;
  } catch {
    return 1;
  }
}
