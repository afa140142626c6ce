import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readSource } from "./read-source.ts";

/** What changes files when it is given a path. */
const CHANGES = new Set([
  "appendFileSync",
  "chmodSync",
  "chownSync",
  "copyFileSync",
  "cpSync",
  "createWriteStream",
  "linkSync",
  "mkdirSync",
  "mkdtempSync",
  "openSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "symlinkSync",
  "truncateSync",
  "unlinkSync",
  "utimesSync",
  "writeFileSync",
]);

/** Modules that change or open files by path themselves, and why no name of ours is followed there. */
const REASONS: Readonly<Record<string, string>> = {
  "src/adapters/agent/jail/make.ts": "folders of the home and of git's, made only where nothing stands",
  "src/adapters/file/calls.ts": "the calls themselves",
  "src/adapters/file/hold.ts": "opens the folders that the calls go through",
  "src/adapters/file/owned.ts": "through the open folder",
  "src/adapters/file/remove-entries.ts": "through the open folder",
  "src/adapters/file/sync-all.ts": "opens for reading to sync; links are not followed",
  "src/adapters/home/folder.ts": "the person's own folder in their home",
  "src/adapters/home/sealing.ts": "the person's own folder in their home",
  "src/adapters/local/bring-over.ts": "into a worktree whose real place is compared; copies as they are",
  "src/adapters/local/set-up-worktree.ts": "copies folders that were made in a worktree, as they are",
  "src/adapters/process/fifo-stock.ts": "names nobody can guess in the temp folder",
  "src/adapters/process/find-program.ts": "reads the first bytes of programs",
  "src/adapters/process/proc-table.ts": "reads /proc",
  "src/adapters/process/start-here.ts": "descriptors of the process that asks, by their own paths",
  "src/adapters/process/stdio.ts": "names nobody can guess in the temp folder",
  "src/adapters/process/temporary.ts": "removes such names; a link is removed, not followed",
  "src/adapters/store/aside.ts": "renames within the state folder, which was held to the rules",
  "src/adapters/store/create.ts": "removes temporary names of its own",
  "src/cli/commands/delta/plain-diff.ts": "a new folder in the temp folder",
  "src/cli/commands/demo.ts": "a new folder in the temp folder",
  "src/cli/new-file.ts": "a file the person names, made only where nothing stands",
  "src/cli/commands/init.ts": "made only where nothing stands, in the project's real folder",
  "src/host/control/control.ts": "a folder of ours in the temp folder, whose owner and mode are compared",
  "src/engine/control/server.ts": "removes sockets only",
};

describe("calls that open files", { timeout: 120_000 }, () => {
  it("[OF8] stand in one room, or in a list with the reason", () => {
    const found = globSync("src/**/*.ts")
      .filter(path => !path.startsWith("src/testing/") && !path.startsWith("src/adapters/vcs/"))
      .map(readSource)
      .filter(({ imports }) =>
        imports.some(
          ({ from, names }) =>
            from === "node:fs/promises" || (from === "node:fs" && names.some(one => CHANGES.has(one))),
        ),
      )
      .map(({ path }) => path)
      .sort();
    expect(found).toEqual(Object.keys(REASONS).sort());
  });
});
