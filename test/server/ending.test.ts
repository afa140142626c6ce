import { chmodSync, mkdirSync, readdirSync, rmSync, watch } from "node:fs";
import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { lives, until } from "../adapters/process-fixtures.ts";
import { type Lab, openLab, type Running } from "../cli/lab.ts";
import { openRepositoryLab, tasksFile } from "../cli/repository/lab.ts";
import { sampleOf } from "../sample.ts";
import { linkOf } from "./link.ts";

interface Board {
  readonly running: Running;
  readonly link: URL;
}

async function begin(lab: Lab, env: Readonly<Record<string, string>> = {}): Promise<Board> {
  const running = lab.start(["dashboard"], { env });
  return { running, link: new URL(await linkOf(running)) };
}

/** A connection of our own, which reads nothing until it is asked to. */
function dial({ link }: Board): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(link.port), "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
    socket.pause();
  });
}

/** The head of a request, without the empty line behind it. */
function head({ link }: Board, line: string, ...more: readonly string[]): string {
  const token = link.hash.slice("#token=".length);
  return [`${line} HTTP/1.1`, `Host: ${link.host}`, `Authorization: Bearer ${token}`, ...more, ""].join(
    "\r\n",
  );
}

/** Sends it and waits for the first of the answer, which proves that the server has it. */
async function answered(board: Board, text: string): Promise<Socket> {
  const socket = await dial(board);
  socket.write(text);
  await new Promise(resolve => socket.once("readable", resolve));
  return socket;
}

async function sent(board: Board, text: string): Promise<Socket> {
  const socket = await dial(board);
  await new Promise(resolve => socket.write(text, resolve));
  return socket;
}

const JSON_TYPE = "Content-Type: application/json";
/** Requests for a file of the page: more than sockets hold of it. */
const DOWNLOADS = 400;

const HOLD: Readonly<Record<string, (board: Board) => Promise<Socket>>> = {
  "a connection that says nothing": dial,
  "one that is kept alive": board => answered(board, `${head(board, "GET /api/run")}\r\n`),
  "half a line": board => sent(board, "GET /api/ru"),
  "half a head": board => sent(board, head(board, "GET /api/run")),
  "a body that never comes": board =>
    sent(board, `${head(board, "POST /api/act", JSON_TYPE, "Content-Length: 100")}\r\n`),
  "a body that waits to be asked for": board =>
    answered(
      board,
      `${head(board, "POST /api/act", JSON_TYPE, "Content-Length: 100", "Expect: 100-continue")}\r\n`,
    ),
  "half a document": board =>
    sent(
      board,
      `${head(board, "POST /api/publish", JSON_TYPE, "Transfer-Encoding: chunked")}\r\n5\r\n{"lab\r\n`,
    ),
  "an event stream": board => answered(board, `${head(board, "GET /api/stream")}\r\n`),
  "an event stream whose page has said that it is done": async board => {
    const socket = await answered(board, `${head(board, "GET /api/stream")}\r\n`);
    socket.end();
    return socket;
  },
  "downloads that nobody reads": board => answered(board, `${head(board, "GET /")}\r\n`.repeat(DOWNLOADS)),
};

describe("a dashboard that is asked to end", () => {
  it("[W145] ends whatever connections are held open, and says nothing", async () => {
    await using lab = openLab({ "TASKS.md": "# Orders\n## Phase 1\n### [ ] T1.1: Begin\n" });
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const board = await begin(lab);
      const held = await Promise.all(Object.values(HOLD).map(hold => hold(board)));
      board.running.signal(signal);
      const { code, stderr } = await board.running.ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      for (const socket of held) socket.destroy();
    }
  });

  it.each(
    sampleOf(
      [
        ["git that a page has asked", "GET /api/branches", "asked"],
        ["a check that a page has asked for", "POST /api/act", "checks"],
      ],
      0,
    ),
  )("[W145] does not wait for %s", async (_, line, sign) => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "phase: { merge: never, verify: sh ../wait checks }\n",
      "TASKS.md": tasksFile({ "1: Greet": { "T1.1": ["run: echo hello > hello.txt"] } }),
    });
    // Says that it has begun, and ends once nobody wants it to wait any more.
    lab.write(
      "../wait",
      `cd "\${0%/*}"\n[ ! -e block ] || echo $$ > signs/$1.$$\nwhile [ -e block ]; do sleep 0.05; done\n`,
    );
    lab.write(
      "../bin/git",
      `#!/bin/sh\nsh "${lab.beside("wait")}" asked\nPATH="\${PATH#*:}" exec git "$@"\n`,
    );
    chmodSync(lab.beside("bin/git"), 0o755);
    mkdirSync(lab.beside("signs"));
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const env = sign === "asked" ? { PATH: `${lab.beside("bin")}:${process.env["PATH"]}` } : {};
    const board = await begin(lab, env);
    const began = new Promise(resolve => watch(lab.beside("signs"), resolve).unref());
    lab.write("../block", "");
    const wish = JSON.stringify({ kind: "merge" });
    const rest = line.startsWith("GET") ? [] : [JSON_TYPE, `Content-Length: ${wish.length}`];
    const socket = await sent(board, `${head(board, line, ...rest)}\r\n${rest.length === 0 ? "" : wish}`);
    await began;
    board.running.signal("SIGTERM");
    expect((await board.running.ended).code).toBe(0);
    socket.destroy();
    const left = readdirSync(lab.beside("signs")).map(name => Number(name.split(".")[1]));
    expect(left.length).toBeGreaterThan(0);
    await until("all that waited has gone", () => !left.some(lives));
    rmSync(lab.beside("block"));
  });
});
