import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fetchCopy, sendCopy } from "../../src/adapters/vcs/git/index.ts";
import { createCopiedFiles } from "../../src/host/run/copied-files.ts";
import { must, openGitLab } from "../vcs/lab.ts";

const REF = "refs/heads/r1/1";
/** A hub in a folder beside. */
const LOCAL = { GIT_ALLOW_PROTOCOL: "file" };

describe("the files of a run's copies", () => {
  it("[HO47] are read again where they have changed, and each copy has all as they are", async () => {
    using lab = openGitLab({ "TASKS.md": "# Plan\n" });
    const repository = await lab.open();
    const stateDir = join(lab.root, ".espalier");
    const [objects, hub] = [lab.place("objects"), lab.place("hub.git")];
    execFileSync("git", ["init", "--quiet", "--bare", hub]);
    mkdirSync(objects);
    for (const folder of ["away", "memory/attempts", "logs"])
      mkdirSync(join(stateDir, folder), { recursive: true, mode: 0o700 });
    const write = (name: string, text: string) => writeFileSync(join(stateDir, name), text, { mode: 0o600 });
    write("away/one.jsonl", "one\n");
    write("memory/attempts/a", "a\n");
    write("memory/attempts/b", "b\n");
    write("logs/T1.1.log", "stays here\n");
    const tasks = { path: join(lab.root, "TASKS.md"), display: "TASKS.md" };
    const files = createCopiedFiles({ stateDir, root: lab.root, tasks }, lab.place("files"));

    /** Names that were read for a copy; what then lies in it. */
    async function copy(): Promise<readonly [read: readonly string[], Readonly<Record<string, string>>]> {
      const gathered = await files.gather();
      const copied = { refs: {}, kept: [], files: gathered, about: "{}", objects };
      files.keep(must(await sendCopy(repository, copied, { url: hub, access: LOCAL, ref: REF })));
      const came = must(await fetchCopy(repository, { url: hub, access: LOCAL, ref: REF }));
      const texts = await Promise.all(
        came.names.map(async name => [name, Buffer.from(must(await came.read(name))).toString()] as const),
      );
      await came.forget();
      return [
        [...gathered].flatMap(([name, file]) => ("path" in file ? [name] : [])),
        Object.fromEntries(texts),
      ];
    }

    const first = {
      "state/away/one.jsonl": "one\n",
      "state/memory/attempts/a": "a\n",
      "state/memory/attempts/b": "b\n",
      "project/TASKS.md": "# Plan\n",
    };
    expect(await copy()).toEqual([Object.keys(first), first]);
    write("away/one.jsonl", "one\ntwo\n");
    write("memory/attempts/c", "c\n");
    rmSync(join(stateDir, "memory/attempts/a"));
    lab.write("TASKS.md", "# Plan\n\nchanged\n");
    expect(await copy()).toEqual([
      ["state/away/one.jsonl", "state/memory/attempts/c", "project/TASKS.md"],
      {
        "state/away/one.jsonl": "one\ntwo\n",
        "state/memory/attempts/b": "b\n",
        "state/memory/attempts/c": "c\n",
        "project/TASKS.md": "# Plan\n\nchanged\n",
      },
    ]);
    expect((await copy())[0]).toEqual(["project/TASKS.md"]);
  });

  it("[HO47] that were fetched and not taken in are let go of by the next", async () => {
    using lab = openGitLab();
    const repository = await lab.open();
    const [objects, hub] = [lab.place("objects"), lab.place("hub.git")];
    execFileSync("git", ["init", "--quiet", "--bare", hub]);
    mkdirSync(objects);
    for (const about of ["1", "2"]) {
      const place = { url: hub, access: LOCAL, ref: `refs/heads/r1/${about}` };
      must(await sendCopy(repository, { refs: {}, kept: [], files: new Map(), about, objects }, place));
      must(await fetchCopy(repository, place));
    }
    expect(lab.git("for-each-ref", "--format=%(refname)", "refs/espalier")).toMatch(
      /^refs\/espalier\/copy\/[0-9a-f]{12}\/r1\/2$/,
    );
  });
});
