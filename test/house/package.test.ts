import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { linksIn } from "../docs/links.ts";
import { itWhole } from "../sample.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

interface Locked {
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, Locked>>;
}

const json = <T>(name: string) => JSON.parse(readFileSync(join(root, name), "utf8")) as T;
const manifest = json<Manifest>("package.json");
const lock = json<LockFile>("package-lock.json");

/** What `npm pack` would publish: the names of its files, and the hash of all their bytes. */
function pack(): { readonly files: readonly string[]; readonly integrity: string; readonly size: number } {
  const folder = mkdtempSync(join(tmpdir(), "espalier-pack-"));
  try {
    const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, "--cache", folder];
    const out = execFileSync("npm", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [packed] = JSON.parse(out) as [
      { files: { path: string }[]; integrity: string; unpackedSize: number },
    ];
    const { files, integrity, unpackedSize: size } = packed;
    return { files: files.map(({ path }) => path), integrity, size };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("what is installed", () => {
  it("runs nothing while it is installed", () => {
    const scripted = Object.entries(lock.packages).filter(([, entry]) => entry.hasInstallScript === true);
    expect(scripted.map(([name]) => name)).toEqual([]);
    const own = Object.keys(manifest.scripts).filter(name =>
      /^(pre|post)?(install|prepare|uninstall)$/.test(name),
    );
    expect(own).toEqual([]);
  });

  it("is named by exact versions, and known by its hash", () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    const unknown = Object.entries(lock.packages).filter(
      ([name, { link, integrity }]) =>
        name.includes("node_modules/") && link !== true && !integrity?.startsWith("sha512-"),
    );
    expect(unknown.map(([name]) => name)).toEqual([]);
  });
});

/** What comes with these packages, themselves included. */
function broughtBy(names: readonly string[]): string[] {
  return names.flatMap(name => [
    name,
    ...broughtBy(Object.keys(lock.packages[`node_modules/${name}`]?.dependencies ?? {})),
  ]);
}

function bytesBelow(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Uses every subpath, as a program of somebody else's would. */
function consumer(): string {
  const names = Object.keys(manifest.exports).filter(path => !path.endsWith(".json"));
  const imports = names.map(
    (path, at) => `import * as m${at} from ${JSON.stringify(`espalier${path.slice(1)}`)};`,
  );
  return `${imports.join("\n")}
import type { Project, RunResult } from "espalier";
import { budgetSchema } from "espalier/budget";
import { readPlan, type Task } from "espalier/plan";
import { countTokens } from "espalier/tokens";
export const total: number = budgetSchema().parse({}).context_budget.total_available + countTokens("x");
export const ids = (tasks: readonly Task[]): string[] => tasks.map(({ id }) => id);
export type Both = [Project, RunResult];
// @ts-expect-error a plan is read from bytes
export const wrong = readPlan("x", "TASKS.md");
// @ts-expect-error what is private is no part of the package
export type { Engine } from "espalier/engine";
export const all: unknown = [${names.map((_, at) => `m${at}`).join()}];
`;
}

describe("what is published", { timeout: 120_000 }, () => {
  const packed = pack();

  it("[HO8] declares the types of what it exports, and nothing else", () => {
    const declared = packed.files.filter(name => name.endsWith(".d.ts"));
    const exported = Object.values(manifest.exports).flatMap(one =>
      typeof one === "string" ? [] : [one.types.slice("./".length)],
    );
    expect(declared).toEqual([...new Set([...exported, "dist/shared/types.d.ts"])].sort());
    const modules = readFileSync(join(root, "dist/shared/types.d.ts"), "utf8").matchAll(
      /namespace \$([a-z]+)_/g,
    );
    expect(new Set([...modules].map(([, room]) => room))).toEqual(
      new Set(exported.map(name => name.split("/")[1] ?? "")),
    );
  });

  itWhole("[HO8] has types that a strict program takes, those of libraries checked too", () => {
    const folder = mkdtempSync(join(tmpdir(), "espalier-types-"));
    try {
      mkdirSync(join(folder, "node_modules"));
      symlinkSync(root, join(folder, "node_modules/espalier"));
      symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
      writeFileSync(join(folder, "program.mts"), consumer());
      const compilerOptions = {
        target: "es2024",
        lib: ["es2024", "esnext.iterator", "esnext.disposable"],
        module: "nodenext",
        types: ["node"],
        strict: true,
        skipLibCheck: false,
        isolatedModules: true,
        verbatimModuleSyntax: true,
        erasableSyntaxOnly: true,
        noEmit: true,
      };
      writeFileSync(
        join(folder, "tsconfig.json"),
        JSON.stringify({ compilerOptions, files: ["program.mts"] }),
      );
      const { stdout, status } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], {
        encoding: "utf8",
      });
      expect([stdout, status]).toEqual(["", 0]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("is at most 400 files, and 25 MB installed with what it needs", () => {
    const beside = broughtBy(Object.keys(manifest.dependencies)).map(name =>
      join(root, "node_modules", name),
    );
    const bytes = beside.reduce((sum, folder) => sum + bytesBelow(folder), packed.size);
    expect(packed.files.length).toBeLessThanOrEqual(400);
    expect(bytes).toBeLessThanOrEqual(25_000_000);
  });

  it("shows the statement that threw where a program does not catch it, and not a file on one line", () => {
    const plan = JSON.stringify(new URL("../../dist/plan/index.js", import.meta.url).href);
    const program = `const { diffPlans } = await import(${plan}); diffPlans(undefined, undefined);`;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      encoding: "utf8",
    });
    expect(stderr).toContain("TypeError");
    expect(Math.max(...stderr.split("\n").map(line => line.length))).toBeLessThan(300);
  });

  it("needs no package while it runs but those that are installed with it", () => {
    const allowed = new Set([
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.peerDependencies),
    ]);
    const built = packed.files.filter(name => /^dist\/(?!web\/).*\.js$/.test(name));
    const named = built.flatMap(name =>
      [
        ...readFileSync(join(root, name), "utf8").matchAll(
          /(?:^|[;}])(?:import|export)\b[^;"]*?\bfrom\s*"([^".][^"]*)"/gm,
        ),
      ].map(([, one]) => one ?? ""),
    );
    expect(built.length).toBeGreaterThan(50);
    expect(named.filter(name => !allowed.has(name))).toEqual([]);
  });

  it("has the pages that its pages link to, and what they show", () => {
    const pages = packed.files.filter(name => name.endsWith(".md") && !name.startsWith("examples/"));
    const dead = pages.flatMap(page =>
      linksIn(readFileSync(join(root, page), "utf8")).flatMap(link => {
        const [file = ""] = link.split("#");
        if (file === "" || /^[a-z][a-z+.-]*:/.test(link)) return [];
        const path = normalize(join(dirname(page), file)).replace(/\/$/, "");
        const isThere = packed.files.some(name => name === path || name.startsWith(`${path}/`));
        return isThere ? [] : [`${page}: ${link}`];
      }),
    );
    expect(pages).toContain("docs/running.md");
    expect(dead).toEqual([]);
  });

  it("is the same archive each time, and holds nothing but the program, its examples and its pages", () => {
    expect(pack().integrity).toBe(packed.integrity);
    const strangers = packed.files.filter(
      path =>
        !/^(bin|dist|examples)\/|^docs\/(.*\.(md|png|svg)|output\.schema\.json)$|^(README|CHANGELOG|CONTRIBUTING|SECURITY)(\.ko)?\.md$|^(LICENSE|package\.json)$/.test(
          path,
        ),
    );
    expect(strangers).toEqual([]);
  });
});
