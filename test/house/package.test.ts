import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<
    Record<string, { hasInstallScript?: boolean; link?: boolean; resolved?: string; integrity?: string }>
  >;
}

const json = <T>(name: string) => JSON.parse(readFileSync(join(root, name), "utf8")) as T;
const manifest = json<Manifest>("package.json");
const lock = json<LockFile>("package-lock.json");

/** What `npm pack` would publish: the names of its files, and the hash of all their bytes. */
function pack(): { readonly files: readonly string[]; readonly integrity: string } {
  const folder = mkdtempSync(join(tmpdir(), "espalier-pack-"));
  try {
    const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, "--cache", folder];
    const out = execFileSync("npm", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [packed] = JSON.parse(out) as [{ files: { path: string }[]; integrity: string }];
    return { files: packed.files.map(file => file.path), integrity: packed.integrity };
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

/** Rooms whose types are anybody's to import. */
const PUBLIC =
  /^dist\/(?:assembly|budget|checkpoint|delta|host\/(?:index|api)|markdown|plan|ports|run|summary|sync|testing|text|tokens|tree)[./]/;

describe("what is published", { timeout: 120_000 }, () => {
  const packed = pack();

  it("[HO8] declares the types of public rooms, and of no private one", () => {
    const declared = packed.files.filter(name => name.endsWith(".d.ts"));
    expect(declared).toContain("dist/host/index.d.ts");
    expect(declared.filter(name => !PUBLIC.test(name))).toEqual([]);
  });

  it("is the same archive each time, and holds nothing but the program, its examples and its pages", () => {
    expect(pack().integrity).toBe(packed.integrity);
    const strangers = packed.files.filter(
      path => !/^(bin|dist|examples)\/|^(README\.md|CHANGELOG\.md|LICENSE|package\.json)$/.test(path),
    );
    expect(strangers).toEqual([]);
  });
});
