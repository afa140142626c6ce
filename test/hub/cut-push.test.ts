import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findProgram } from "../../src/adapters/process/index.ts";
import { scratchFolder } from "../scratch.ts";
import { must } from "../vcs/lab.ts";

const HUB = fileURLToPath(new URL("./killed-hub.ts", import.meta.url));
const REPOSITORY = "0123456789012345678901234567890123456789";

/** Processes of git that serve what lies in a folder. */
function servers(folder: string): readonly string[] {
  return readdirSync("/proc").filter(pid => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`GIT_PROJECT_ROOT=${folder}`);
    } catch {
      return false;
    }
  });
}

it.skipIf(process.platform !== "linux")(
  "[HB14] a hub that is killed in the middle of a push leaves no process of git behind",
  async () => {
    const folder = scratchFolder("espalier-cut-");
    const git = must(findProgram("git", { path: process.env["PATH"] }));
    const hub = spawn(process.execPath, [HUB, folder, git], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = (await once(hub.stdout, "data")) as [Buffer];
    const socket = connect(Number(port.toString()), "127.0.0.1");
    socket.on("error", () => {});
    const head = [
      `POST /v1/git/${REPOSITORY}/token%2F1/git-receive-pack HTTP/1.1`,
      "Host: hub",
      "Content-Type: application/x-git-receive-pack-request",
      "Content-Length: 5000",
    ];
    // A first line of git's protocol, and nothing of the 4,900 bytes behind it.
    socket.write(`${head.join("\r\n")}\r\n\r\n00a0${"0".repeat(96)}`);
    const waits = { timeout: 30_000, interval: 50 };
    await expect.poll(() => servers(folder).length, waits).toBeGreaterThan(0);
    const gone = once(hub, "exit");
    hub.kill("SIGKILL");
    await gone;
    await expect.poll(() => servers(folder), waits).toEqual([]);
    socket.destroy();
  },
  90_000,
);
