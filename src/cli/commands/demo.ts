import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { PACKAGE_ROOT } from "../../host/package.ts";
import { INSTALL_LINES, installedAgents } from "../../host/run/installed.ts";
import { EXIT } from "../../ports/index.ts";
import { shellWord } from "../../text/index.ts";
import { calledAs } from "../called-as.ts";
import { changed, type Io, say } from "../io.ts";
import { localeOf } from "../project.ts";
import { demoWords } from "../views/words/demo-words.ts";

const EXAMPLE = join(PACKAGE_ROOT, "examples", "quickstart");
/** What of it stands there again in Korean. */
const KOREAN = join(EXAMPLE, "ko");

export interface DemoFlags {
  readonly dashboard?: boolean;
  readonly port?: number;
}

/** Copies the files of a folder, and makes them the person's own: those of a package may be read-only. */
function copyFiles(from: string, to: string, without?: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || entry.parentPath === without) continue;
    const target = join(to, relative(from, path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, readFileSync(path));
  }
}

/** `espalier demo`: the example that comes with the package, in a new folder, without an agent; and what to do next. */
export async function demo(io: Io, flags: DemoFlags): Promise<number> {
  const locale = localeOf(io);
  const words = demoWords(locale);
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "espalier-demo-"));
  copyFiles(EXAMPLE, folder, KOREAN);
  if (locale === "ko") copyFiles(KOREAN, folder);
  say(io, `${words.begins(folder)}\n`);
  const code = await (await import("./run.ts")).run(changed(io, { cwd: folder, locale }), undefined, flags);
  if (code !== EXIT.done) return code;
  const { name, install } = calledAs(io.env["PATH"]);
  const lines = [
    words.happened,
    words.look({
      page: pathToFileURL(join(folder, "site", "index.html")).href,
      tasks: join(folder, "TASKS.md"),
      read: `cd ${shellWord(folder)} && ${name} context receipt T2.1`,
      log: join(folder, ".espalier", "orchestrate.log"),
      inBrowser: `${name} demo --dashboard`,
    }),
    words.next(install === undefined ? name : "espalier", install),
    words.agents(
      installedAgents(io.env["PATH"]).map(agent => agent.name),
      INSTALL_LINES,
    ),
  ];
  say(io, `\n${lines.join("\n\n")}`);
  return EXIT.done;
}
