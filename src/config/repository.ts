import { z } from "zod";

const command = () => z.string().min(1).max(4000);

/** What a template may be made of besides its placeholders: nothing a shell, a ref or a path could misread. */
function isPlainTemplate(text: string): boolean {
  return /^[A-Za-z0-9._/{}-]+$/.test(text) && !text.startsWith("-");
}

const branchTemplate = () =>
  z
    .string()
    .max(200)
    .refine(text => isPlainTemplate(text) && text.includes("{phase}"), {
      error: 'expected letters, digits, . _ / - and {phase}, e.g. "phase/{phase}-{feature}"',
    });

const folderTemplate = () =>
  z
    .string()
    .max(1000)
    .refine(text => text.includes("{phase}") && !text.includes("\0"), {
      error: 'expected a path with {phase}, e.g. "../{project}-phase{phase}-{feature}"',
    });

/** A path inside the project, as it stands in the main checkout. */
const inside = () =>
  z
    .string()
    .min(1)
    .max(1000)
    .refine(path => !path.startsWith("/") && !path.split("/").includes(".."), {
      error: "expected a path inside the project",
    });

const listed = () =>
  inside().refine(path => !/[[\]{}]/.test(path), {
    error: "expected a path of the repository, with *, ? and ** for any of them, e.g. docs/changes/*.md",
  });

/** How a repository is worked in. */
export const gitSchema = () =>
  z.strictObject({
    /** `off`: all tasks work in the main checkout, and nothing is committed. */
    worktrees: z.enum(["auto", "off"]).default("auto"),
    /** The branch that finished phases are merged into; by default the one that is checked out. */
    target: z.string().min(1).max(200).optional(),
    /** How a task's work joins what landed meanwhile. */
    landing: z.enum(["rebase", "merge"]).default("rebase"),
    /** Files whose lines stand for themselves: what tasks insert at one place is joined without being proved. */
    lists: z.array(listed()).max(200).default([]),
    /** Files that a tool makes from others, such as lock files, and the command that makes each anew where it is in conflict. */
    generated: z.record(listed(), command()).default({}),
    /** Who solves a conflict first. */
    conflicts: z.enum(["agent", "person"]).default("agent"),
    branch: branchTemplate().default("phase/{phase}-{feature}"),
    folder: folderTemplate().default("../{project}-phase{phase}-{feature}"),
    /** What becomes of a phase's branch once it is merged. */
    branches: z.enum(["delete", "keep"]).default("delete"),
  });

/** What makes a new worktree fit to work in. */
export const worktreeSchema = () =>
  z.strictObject({
    setup: z.array(command()).max(50).default([]),
    copy: z.array(inside()).max(200).default([]),
    link: z.array(inside()).max(200).default([]),
  });

/** What happens at the end of a phase. */
export const phaseSchema = () =>
  z.strictObject({
    verify: command().optional(),
    merge: z.enum(["auto", "ask", "never"]).default("ask"),
    /** Run once a phase has ended, with title and text of a pull request. */
    after: command().optional(),
  });
