import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { scratchFolder } from "../../scratch.ts";
import type { Mutant } from "./bug.ts";
import { planted } from "./place.ts";

/** The checkout that this file belongs to. */
export const ROOT: string = fileURLToPath(new URL("../../..", import.meta.url));

/** Where what is installed stands, as far as it is: the engine of many machines only where somebody has asked for it. */
const MODULES: readonly string[] = ["node_modules", "test/hub/engine/node_modules"].filter(path =>
  existsSync(join(ROOT, path)),
);

/** Tests of a copy keep what they compile there. */
const CONFIG = `import base from "./vitest.config.ts";
export default { ...base, cacheDir: ".vite" };
`;

/** Whether programs can be shut in: a bug may kill any process and remove any folder. */
export const canJail: boolean =
  spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc", "true"]).status === 0;

/** How a command is run in a copy. */
export interface Running {
  /** Milliseconds after which it is ended: a bug may make a loop endless. */
  readonly patience: number;
  /** Whether it is shut in. */
  readonly jailed: boolean;
}

/** How a command ended in a copy. */
export interface Outcome {
  /** Null when it did not end in time. */
  readonly status: number | null;
  readonly output: string;
}

/** A copy of the checkout in which bugs are planted, one at a time. */
export class Checkout {
  readonly folder: string;

  constructor() {
    this.folder = scratchFolder("espalier-planted-");
    // Some tests start processes of other users, who read the sources as well.
    chmodSync(this.folder, 0o755);
    const list = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    for (const file of list.split("\0").filter(name => name !== "" && existsSync(join(ROOT, name)))) {
      mkdirSync(dirname(this.path(file)), { recursive: true });
      copyFileSync(join(ROOT, file), this.path(file));
    }
    cpSync(join(ROOT, "dist"), this.path("dist"), { recursive: true });
    writeFileSync(this.path("planted.config.ts"), CONFIG);
    for (const path of MODULES) symlinkSync(realpathSync(join(ROOT, path)), this.path(path));
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  plant(mutant: Mutant): void {
    this.#put(mutant.file, planted(readFileSync(join(ROOT, mutant.file), "utf8"), mutant));
  }

  restore({ file }: Mutant): void {
    this.#put(file, readFileSync(join(ROOT, file), "utf8"));
  }

  /** Writes a source and builds what is made of it. */
  #put(file: string, text: string): void {
    writeFileSync(this.path(file), text);
    if (!file.startsWith("src/")) return;
    execFileSync(process.execPath, ["tools/bundle.mjs"], { cwd: this.folder, stdio: "ignore" });
  }

  /** Runs Node on a script of the copy, ended after so many milliseconds. */
  async node(args: readonly string[], { patience, jailed }: Running): Promise<Outcome> {
    const [file = "", ...rest] = [...(jailed ? this.#jail() : []), process.execPath, ...args];
    const child = spawn(file, rest, {
      cwd: this.folder,
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      process.kill(-child.pid!, "SIGKILL");
    }, patience);
    const status = await new Promise<number | null>(resolve => child.once("close", resolve));
    clearTimeout(timer);
    return { status: late ? null : (status ?? 1), output };
  }

  #jail(): string[] {
    const { folder } = this;
    const modules = MODULES.map(path => realpathSync(join(ROOT, path)));
    const shown = modules.map(path => `--ro-bind ${path} ${path}`).join(" ");
    const words = `bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /dev/shm ${shown}
      --bind ${folder} ${folder} --unshare-pid --unshare-net --die-with-parent --chdir ${folder}`;
    return words.split(/\s+/);
  }
}
