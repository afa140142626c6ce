import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../../ports/index.ts";
import { findProgram } from "../../process/index.ts";
import { openGit } from "./call.ts";
import { programsOf, switchedOff } from "./config-file.ts";
import { configFiles, repositoryConfigs } from "./config-files.ts";
import { type RepositoryFacts, repositoryFacts, type Unfit } from "./facts.ts";
import { knownFolders } from "./folders.ts";
import { holdRepository, type Repository } from "./repository.ts";

export interface OpenRequest {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Repository paths, relative to the checkout's top, that no attempt's work may contain. */
  readonly leaveOut: (facts: RepositoryFacts) => readonly string[];
  readonly rescueDir: string;
  /** Whether a program that the repository's own configuration names (`filter.x.clean=…`) may be started. */
  readonly allows: (program: string) => boolean;
}

/** Filters and merge drivers that the repository's own configuration would have git start, as `key=value`. */
export function repositoryPrograms(common: string): { readonly programs: string[]; readonly off: string[] } {
  const files = repositoryConfigs(common).flatMap(name => configFiles(join(common, name)));
  const entries = files.map(file => file.entries);
  return { programs: entries.flatMap(programsOf), off: [...new Set(entries.flatMap(switchedOff))] };
}

/** The names of worktrees that are ours, by the marks we leave in them. */
function ours(common: string): string[] {
  return knownFolders(common)
    .filter(({ admin }) => readdirSync(admin).includes("espalier-index"))
    .map(({ name }) => name);
}

/** Opens the repository around a project, or says why it cannot be worked in. */
export async function openRepository(request: OpenRequest): Promise<Result<Repository, Unfit>> {
  const program = findProgram("git", { path: request.env["PATH"] });
  if (!program.ok)
    return fail({
      code: "NO_REPOSITORY",
      message: "git was not found",
      hint: "install git, or set git: { worktrees: off }",
    });
  const { root, env } = request;
  const first = await repositoryFacts(openGit({ program: program.value, root, env }));
  if (!first.ok) return first;
  const facts = first.value;
  const { programs, off } = repositoryPrograms(facts.common);
  const disabled = programs.every(request.allows) ? [] : off;
  const git = openGit({ program: program.value, root: facts.top, env, disabled });
  return ok(
    holdRepository({
      git,
      facts,
      leaveOut: request.leaveOut(facts),
      rescueDir: request.rescueDir,
      worktrees: ours(facts.common),
    }),
  );
}
