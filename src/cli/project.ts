import { findProject, localeAt, type Project, type Speaker } from "../host/project/project.ts";
import type { Locale } from "../text/index.ts";
import type { Io } from "./io.ts";

function speakerOf({ env, locale, isForPrograms }: Io): Speaker {
  return { env: isForPrograms === true ? {} : env, locale };
}

/** The project that a command was called in, or that of the task file it names. Throws EspalierError. */
export function projectOf(io: Io, named?: string): Project {
  return findProject(io.cwd, named, speakerOf(io));
}

/** The language of whoever calls, also where there is no project. */
export function localeOf(io: Io): Locale {
  return localeAt(io.cwd, speakerOf(io));
}
