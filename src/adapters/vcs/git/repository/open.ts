import { because, fail, ok, type Result } from "../../../../ports/index.ts";
import { findProgram } from "../../../process/index.ts";
import { openGit, pinGit } from "../call/call.ts";
import { driversOff, hooksOff, programsOf } from "../call/settings.ts";
import { type RepositoryFacts, repositoryFacts, type Unfit } from "./facts.ts";
import { holdRepository, type Repository, requireUnchanged } from "./repository.ts";

export interface OpenRequest {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Repository paths, relative to the checkout's top, that no attempt's work may contain. */
  readonly leaveOut: (facts: RepositoryFacts) => readonly string[];
  readonly rescueDir: string;
  /** Whether a program that the repository's own configuration names (`filter.x.clean=…`) may be started. */
  readonly allows: (program: string) => boolean;
}

/** Opens the repository around a project, or says why it cannot be worked in. */
export async function openRepository(request: OpenRequest): Promise<Result<Repository, Unfit>> {
  const program = findProgram("git", { path: request.env["PATH"] });
  if (!program.ok)
    return fail({
      code: "NO_REPOSITORY",
      reason: because("no-git", {}),
      advice: because("install-git", {}),
    });
  const { root, env } = request;
  const options = { program: program.value, env };
  const looked = await repositoryFacts(openGit({ ...options, root }), env);
  if (!looked.ok) return looked;
  const { facts, entryPoints } = looked.value;
  const settings = entryPoints.settings();
  const programs = programsOf(settings);
  const isApproved = programs.every(program => request.allows(program));
  const opened = openGit({
    ...options,
    root: facts.top,
    overrides: [...hooksOff(settings), ...(isApproved ? [] : driversOff(settings))],
    before: async () => requireUnchanged(await entryPoints.misplaced(), facts.common),
  });
  const git = pinGit(opened, facts);
  const { leaveOut, rescueDir } = request;
  return ok(holdRepository({ git, facts, entryPoints, programs, leaveOut: leaveOut(facts), rescueDir }));
}
