import { existsSync } from "node:fs";
import { join } from "node:path";
import { OBJECT_ID } from "../../../ports/index.ts";
import { readBounded } from "../../file/index.ts";
import { moveAside } from "./damaged-objects.ts";
import type { Repository } from "./repository.ts";
import { looseRefs } from "./stored-refs.ts";

interface LooseRef {
  readonly ref: string;
  /** What it names; undefined where that is nothing a ref can name. */
  readonly id: string | undefined;
}

/** Refs that are files of their own and name an object, below a folder of the common directory. */
function refFiles(common: string, below: string): LooseRef[] {
  return looseRefs(common, below).flatMap(({ ref, isFile }) => {
    if (!isFile) return [];
    const bytes = readBounded(join(common, ref), { maxBytes: 1024 ** 2 });
    const text = bytes.ok ? Buffer.from(bytes.value).toString("latin1").trim() : "";
    return text.startsWith("ref: ") ? [] : [{ ref, id: OBJECT_ID.test(text) ? text : undefined }];
  });
}

const BASES = "refs/espalier/base/";
const HEADS = "refs/heads/";

/** Whether a commit can be read with everything it brought since another one, as far as that one is there. */
async function isReadable({ git }: Repository, commit: string, since: string | undefined): Promise<boolean> {
  const type = await git.text(["cat-file", "-t", commit]);
  if (!type.ok || type.value !== "commit") return false;
  const known = since === undefined || since === commit ? [`${commit}^@`] : [since];
  const args = ["rev-list", "--objects", "--no-object-names", commit, "--not", ...known, "--"];
  return (await git.run(args)).ok;
}

/** What was found of refs that cannot be read. */
export interface DamagedRefs {
  /** Ours: moved aside, so that they are made anew from what is noted of them. */
  readonly aside: readonly string[];
  /** A person's: they stay as they are. */
  readonly standing: readonly string[];
}

/** Looks whether what refs name can be read. Those of ours that name nothing are moved aside with their history of moves. */
export async function setDamagedRefsAside(repository: Repository, place: string): Promise<DamagedRefs> {
  const { common } = repository.facts;
  const refs = refFiles(common, "refs");
  const named = new Map(refs.map(({ ref, id }) => [ref, id]));
  const aside: string[] = [];
  const standing: string[] = [];
  for (const { ref, id } of refs) {
    const base = ref.startsWith(HEADS) ? BASES + ref.slice(HEADS.length) : undefined;
    const since = base === undefined ? undefined : named.get(base);
    if (id !== undefined && (await isReadable(repository, id, since))) continue;
    const isOurs =
      ref.startsWith("refs/espalier/") ||
      ref.startsWith("refs/heads/espalier/rescue/") ||
      (base !== undefined && named.has(base));
    if (!isOurs) {
      standing.push(ref);
      continue;
    }
    aside.push(ref);
    for (const path of [join(common, ref), join(common, "logs", ref)])
      if (existsSync(path)) moveAside(common, place, path);
  }
  return { aside, standing };
}
