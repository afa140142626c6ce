import { existsSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../adapters/file/index.ts";
import { findProgram } from "../../adapters/process/index.ts";
import type { TestSign } from "../views/words/init-words.ts";

/** The command that a project is tested with, and how that is known. */
export interface TestCommand {
  readonly command: string;
  readonly because: TestSign;
  /** What every call of the tests begins with. */
  readonly call: string;
}

const PYTHON = ["pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", "setup.py"];
const GRADLE = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
/** In the order in which make looks for them. */
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];

/** What stands in a file of a project; nothing where it cannot be read. */
export function textAt(path: string): string {
  const bytes = readBounded(path, { maxBytes: 1024 * 1024, follow: true });
  return bytes.ok ? Buffer.from(bytes.value).toString("utf8") : "";
}

/** A script that runs nothing proves nothing. */
function packageTest(text: string): boolean {
  try {
    const json = text.startsWith("\ufeff") ? text.slice(1) : text;
    const test = (JSON.parse(json) as { scripts?: { test?: unknown } }).scripts?.test;
    return typeof test === "string" && test.trim() !== "" && !test.includes("no test specified");
  } catch {
    return false;
  }
}

/** Whether a line of a makefile is a rule for `test`, alone or among other targets; no variable of that name, and no comment. */
function isTestRule(text: string): boolean {
  const [line = ""] = text.split("#", 1);
  const colon = line.indexOf(":");
  if (colon < 0 || line.startsWith("\t")) return false;
  const targets = line.slice(0, colon);
  const isVariable =
    targets.includes("=") ||
    line
      .slice(colon)
      .replace(/^:{1,3}/, "")
      .startsWith("=");
  return !isVariable && targets.split(/\s+/).includes("test");
}

/** The command that a project of this kind is tested with; undefined where none is known. */
export function testCommand(root: string, path: string | undefined): TestCommand | undefined {
  const has = (name: string) => existsSync(join(root, name));
  const plain = (because: TestSign, command: string, call = command) => ({ command, because, call });
  if (packageTest(textAt(join(root, "package.json")))) return plain("package.json", "npm test");
  if (has("Cargo.toml")) return plain("Cargo.toml", "cargo test");
  if (has("go.mod")) return plain("go.mod", "go test ./...", "go test");
  if (has("pom.xml")) return plain("pom.xml", has("mvnw") ? "./mvnw test" : "mvn test");
  if (GRADLE.some(has)) return plain("gradle", has("gradlew") ? "./gradlew test" : "gradle test");
  if (PYTHON.some(has)) {
    const isThree = !findProgram("python", { path }).ok && findProgram("python3", { path }).ok;
    const call = `${isThree ? "python3" : "python"} -m pytest`;
    return plain("python", `${call} -q`, call);
  }
  const makefile = MAKEFILES.find(has);
  return makefile !== undefined && textAt(join(root, makefile)).split("\n").some(isTestRule)
    ? plain("Makefile", "make test")
    : undefined;
}
