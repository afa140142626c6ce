import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type Cell, openJail } from "../../../src/adapters/agent/index.ts";
import type { Program } from "../../../src/adapters/process/index.ts";
import { inEnglish } from "../../reasons.ts";

export const opened = await openJail(process.env["PATH"]);

const CELL: Cell = { writable: [], keeps: [], network: true };

/** What the cell is besides, and what more stands in the environment. */
type Inside = Partial<Cell> & { readonly env?: Readonly<Record<string, string>> };

/** A folder with a home and a folder to work in, and what a program says in its jail. */
export interface Lab {
  folder: string;
  home: string;
  cwd: string;
  inside(script: string, cell?: Inside): Promise<{ said: string; code: number | null }>;
}

/** A lab for each test. Not below /tmp, which is another one in there. */
export function jailLab(): Lab {
  const lab: Lab = {
    folder: "",
    home: "",
    cwd: "",
    inside(script, { env: more, ...cell } = {}) {
      if (!opened.ok) throw new Error(inEnglish(opened.failure));
      const program: Program = {
        file: "/bin/sh",
        args: ["-c", script],
        cwd: lab.cwd,
        env: { PATH: process.env["PATH"] ?? "", HOME: lab.home, GREETING: "salut", ...more },
      };
      const { file, args, env, cwd } = opened.value.wrap(program, { ...CELL, ...cell });
      return new Promise((resolve, reject) => {
        const child = spawn(file, args, { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
        let said = "";
        for (const stream of [child.stdout, child.stderr]) stream.on("data", chunk => (said += chunk));
        child.once("error", reject);
        child.once("close", code => resolve({ said, code }));
      });
    },
  };
  beforeEach(() => {
    lab.folder = realpathSync(mkdtempSync("/var/tmp/espalier-jail-"));
    lab.home = join(lab.folder, "home");
    lab.cwd = join(lab.folder, "work");
    for (const path of [lab.home, lab.cwd]) mkdirSync(path);
  });
  afterEach(() => rmSync(lab.folder, { recursive: true, force: true }));
  return lab;
}
