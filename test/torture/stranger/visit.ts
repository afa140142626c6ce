/**
 * A stranger's repository, and a person who starts Espalier in it: around the checkout lie files of theirs and a home, which
 * have to stand afterwards as they stood before.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { scratchFolder } from "../../scratch.ts";
import { type Planting, plant, plantings } from "./plant.ts";
import { changes, type Snapshot, snapshot } from "./snapshot.ts";

/** Milliseconds after which a command is said to hang; a busy machine may take its time for the others. */
const PATIENCE = 90_000;
const MAIN = new URL("../../../dist/cli/main.js", import.meta.url).href;
const START = `const { main } = await import(${JSON.stringify(MAIN)}); await main(["node", "espalier", ...process.argv.slice(1)]);`;

const TASKS = `# Visit

## Phase 0

### [ ] T0.1: a
- run: \`printf a > out.txt\`

## Phase 1

### [ ] T1.1: b
- run: \`printf b > b.txt\`
- depends on: T0.1
`;

const CONFIG = "maxAttempts: 1\n";

/** A command line, and whether the person answers yes to everything. */
interface Call {
  readonly args: readonly string[];
  readonly yes: boolean;
}

export const no = (...args: string[]): Call => ({ args, yes: false });
export const yes = (...args: string[]): Call => ({ args: [...args, "--yes"], yes: true });

const CALLS: readonly Call[] = [
  no("run"),
  no("resume"),
  no("next"),
  no("start", "T0.1"),
  no("status"),
  no("plan"),
  no("doctor"),
  no("task", "list"),
  no("task", "done", "T0.1"),
  no("worktrees"),
  no("checkpoint", "list"),
  no("checkpoint", "create"),
  no("context", "tree"),
  no("stop"),
  no("mcp", "--setup", "claude", "--write"),
  no("init"),
  yes("run"),
  yes("run"),
  yes("resume"),
];

/** What is planted, on what, and what is started. */
export interface Visit {
  readonly plantings: readonly Planting[];
  /** Whether a run of the person's own stood there before. */
  readonly seasoned: boolean;
  readonly call: Call;
}

export const visits: fc.Arbitrary<Visit> = fc.record({
  plantings,
  seasoned: fc.boolean(),
  call: fc.constantFrom(...CALLS),
});

/** How a visit is told. */
export function describeVisit({ plantings: planted, seasoned, call }: Visit): string {
  const there = planted.map(({ name, kind }) => `${kind} at ${name}`).join(", ");
  return `espalier ${call.args.join(" ")} in ${seasoned ? "a seasoned" : "a fresh"} clone with ${there}`;
}

/** The places of one visitor; every visit finds them as they were made. */
export class Ground {
  readonly #top = scratchFolder("espalier-visit-");
  readonly #place = join(this.#top, "place");
  readonly #clone = join(this.#place, "work", "clone");
  readonly #home = join(this.#place, "home");

  /** Makes what every visit starts from: a fresh clone, and one in which a run has ended. */
  async prepare(): Promise<void> {
    for (const folder of [".local/state/espalier", ".cache/espalier", ".config"])
      mkdirSync(join(this.#home, folder), { recursive: true });
    writeFileSync(join(this.#home, ".profile"), "export A=1\n", { mode: 0o644 });
    mkdirSync(join(this.#place, "victim", "folder"), { recursive: true });
    for (const name of ["photos.tar", "folder/notes.md", "folder/espalier.db", "folder/exclude"]) {
      const path = join(this.#place, "victim", name);
      writeFileSync(path, `${name} `.repeat(100), { mode: 0o644 });
      utimesSync(path, 1, 1);
    }
    mkdirSync(join(this.#clone, "docs", "planning"), { recursive: true });
    writeFileSync(join(this.#clone, "docs", "planning", "TASKS.md"), TASKS);
    writeFileSync(join(this.#clone, "espalier.yaml"), CONFIG);
    const git = (...args: string[]) => execFileSync("git", args, { cwd: this.#clone, stdio: "ignore" });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "first");
    // A folder that a link makes a repository, or the home of a task file.
    const folder = join(this.#place, "victim", "folder");
    cpSync(join(this.#clone, ".git"), folder, { recursive: true });
    cpSync(join(this.#clone, "docs", "planning", "TASKS.md"), join(folder, "TASKS.md"));
    this.#keepAs("fresh");
    const code = await this.#start(["run", "--yes"]);
    if (code !== 0) throw new Error(`the run that comes before every visit ended with ${code}`);
    this.#keepAs("seasoned");
  }

  remove(): void {
    rmSync(this.#top, { recursive: true, force: true });
  }

  #keepAs(name: string): void {
    cpSync(this.#place, join(this.#top, name), { recursive: true, preserveTimestamps: true });
  }

  /** Starts a command; null when it had to be ended. */
  async #start(args: readonly string[]): Promise<number | null> {
    const child = spawn(
      process.execPath,
      ["--no-warnings", "--input-type=module", "-e", START, "--", ...args],
      {
        cwd: this.#clone,
        env: { PATH: process.env["PATH"], HOME: this.#home },
        stdio: "ignore",
      },
    );
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    const code = await new Promise<number | null>(resolve => child.once("close", resolve));
    clearTimeout(timer);
    return code;
  }

  /** What has to stand as it stood: all around the checkout and its worktrees, and as much of the checkout as is said. */
  #look(checkout: "nothing" | "its files" | "all"): Snapshot {
    const own = ["home/.local/state/espalier", "home/.cache/espalier"];
    const left = {
      nothing: () => true,
      "its files": (path: string) => [".espalier", ".git"].includes(basename(path)),
      all: () => false,
    }[checkout];
    return snapshot(this.#place, path => {
      if (own.includes(path)) return true;
      if (dirname(path) === join("work", "clone")) return left(path);
      // Where worktrees go.
      return dirname(path) === "work" && path !== join("work", "clone");
    });
  }

  /** Makes one visit; says what it changed that it must not, and whether it did not end. */
  async visit({ plantings: planted, seasoned, call }: Visit): Promise<readonly string[]> {
    rmSync(this.#place, { recursive: true, force: true });
    cpSync(join(this.#top, seasoned ? "seasoned" : "fresh"), this.#place, {
      recursive: true,
      preserveTimestamps: true,
    });
    const victim = join(this.#place, "victim");
    for (const one of planted) plant(this.#clone, victim, one);
    const command = call.args[0] ?? "";
    const writes = call.yes || ["init", "mcp", "task"].includes(command);
    // A run that is refused at its first question leaves nothing behind at all.
    const isRefused = command === "run" && !seasoned;
    const scope = writes ? "nothing" : isRefused ? "all" : "its files";
    const before = this.#look(scope);
    const code = await this.#start(call.args);
    // Folders that hold what may change have another time then.
    const changed = changes(before, this.#look(scope)).filter(
      line => !line.startsWith("work: ") && (scope === "all" || !line.startsWith("work/clone: ")),
    );
    return [...changed, ...(code === null ? ["it did not end"] : [])];
  }
}
