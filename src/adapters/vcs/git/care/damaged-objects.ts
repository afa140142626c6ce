import { lstatSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isWhole, objectAt } from "../repository/loose-object.ts";

/** Milliseconds before the newest object: what is older had reached the disk when the power went. */
const SUSPECT = 15 * 60_000;

/** What a call gives; undefined where what it was made for went meanwhile: git packs objects and refs beside us. */
function unlessGone<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Moves something of a common directory aside, under its own name, to where damaged things are kept. Whether it was still there. */
export function moveAside(common: string, place: string, path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  const to = join(place, relative(common, path));
  mkdirSync(dirname(to), { recursive: true });
  const move = () => {
    renameSync(path, to);
    return true;
  };
  return unlessGone(move) ?? false;
}

/** Files of single objects, with their times and sizes. */
function looseObjects(common: string): { path: string; changed: number; size: number }[] {
  const top = join(common, "objects");
  const folders = readdirSync(top).filter(name => /^[0-9a-f]{2}$/.test(name));
  return folders.flatMap(folder =>
    (unlessGone(() => readdirSync(join(top, folder))) ?? []).flatMap(name => {
      const path = join(top, folder, name);
      const facts = lstatSync(path, { throwIfNoEntry: false });
      if (facts?.isFile() !== true || !/^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(name)) return [];
      return [{ path, changed: facts.mtimeMs, size: facts.size }];
    }),
  );
}

/**
 * Moves aside files of objects that do not hold what their names say: git would take them for there, never write them again,
 * and fail to read them. Whatever is empty is, and what came shortly before the newest is read whole. Returns the objects.
 */
export async function setDamagedObjectsAside(common: string, place: string): Promise<string[]> {
  const found = looseObjects(common);
  const newest = found.reduce((latest, { changed }) => Math.max(latest, changed), 0);
  const damaged: string[] = [];
  for (const { path, changed, size } of found) {
    if (size > 0 && (changed < newest - SUSPECT || (await isWhole(path)))) continue;
    if (moveAside(common, place, path)) damaged.push(objectAt(path));
  }
  return damaged;
}
