import { makeFolders } from "../adapters/home/index.ts";
import { because, EXIT } from "../ports/index.ts";
import { errorFor } from "../text/index.ts";

/** Makes a folder that a person has named, or that stands for one, and what it lies in. Throws EspalierError. */
export function ownFolder(path: string): string {
  try {
    makeFolders(path);
    return path;
  } catch (error) {
    const said = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw errorFor("FOLDER", because("folder-unmade", { path, said }), {
      advice: because("folder-elsewhere", {}),
      exitCode: EXIT.environment,
    });
  }
}
