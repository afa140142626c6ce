import { NotOwned, ownedFileCalls, requireOwnFile } from "../file/index.ts";

const COMPANIONS = ["-journal", "-wal", "-shm"];
/** What a rollback journal ends in that names a journal over several databases; ours are of one each. */
const NAMES_ANOTHER = Buffer.from("d9d505f920a163d7", "hex");

/**
 * Refuses a database, or a companion of one, that is not a plain file of ours alone: SQLite opens by path, follows links on
 * the way, and plays back what lies beside. Nothing is opened but the journal. Throws `NotOwned`.
 */
export function requireOwnDatabase(path: string): void {
  for (const name of [path, ...COMPANIONS.map(ending => path + ending)]) requireOwnFile(name);
  requireOwnJournal(`${path}-journal`);
}

/** SQLite removes the file that such a journal names, wherever it lies. */
function requireOwnJournal(path: string): void {
  let fd: number;
  try {
    fd = ownedFileCalls.open(path, "read", 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  try {
    const end = Buffer.alloc(NAMES_ANOTHER.length);
    const from = Math.max(0, ownedFileCalls.fstat(fd).size - end.length);
    ownedFileCalls.read(fd, end, 0, from);
    if (end.equals(NAMES_ANOTHER)) throw new NotOwned(path, "foreign-journal");
  } finally {
    ownedFileCalls.close(fd);
  }
}
