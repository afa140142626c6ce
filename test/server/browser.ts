/** A real Chromium, from an npm package: unpacked once beside the other temporary files, and started anew for each test. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inflate } from "@sparticuz/chromium";
import { type Browser, chromium, type Page } from "playwright-core";

const require = createRequire(import.meta.url);
const PACK = join(dirname(require.resolve("@sparticuz/chromium")), "..", "bin");
const FOLDER = join(tmpdir(), `espalier-chromium-153-${process.getuid?.() ?? ""}`);

/** The package brings a Chromium for this kind of machine only. */
export const HAS_BROWSER: boolean = process.platform === "linux" && process.arch === "x64";

const FLAGS: readonly string[] = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Unpacks into a folder of its own and gives that its name at once: tests of several processes may need it. */
async function unpacked(): Promise<string> {
  if (existsSync(FOLDER)) return FOLDER;
  const making = mkdtempSync(`${FOLDER}.`);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = making;
  try {
    await Promise.all(
      ["chromium.br", "fonts.tar.br", "al2023.tar.br"].map(name => inflate(join(PACK, name))),
    );
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
  try {
    renameSync(making, FOLDER);
  } catch {
    rmSync(making, { recursive: true, force: true });
  }
  return FOLDER;
}

/** Starts a browser; with the libraries and fonts of the package where the system lacks them. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const folder = await unpacked();
  const options = {
    executablePath: join(folder, "chromium"),
    headless: true,
    args: [...FLAGS, ...more],
    env: { ...process.env, LANG: "en_US.UTF-8" },
  };
  try {
    return await chromium.launch(options);
  } catch {
    mkdirSync(join(folder, "home"), { recursive: true });
    const env = {
      ...options.env,
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      FONTCONFIG_PATH: join(folder, "fonts"),
    };
    return chromium.launch({ ...options, env });
  }
}

/** Opens the page by its link, and goes on to a place of it. */
export async function openAt(page: Page, link: string, hash: string): Promise<void> {
  await page.goto(link);
  await page.waitForURL(({ hash }) => hash === "#/");
  await goTo(page, hash);
}

/** Goes to another place of the page, as a click on a link would. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** What tells one layout from another, once nothing loads or fades; before that, nothing. */
const AT_REST = `!/Loading…|불러오는 중…/.test(document.body.textContent) &&
  document.getAnimations().every(one => one.effect.getComputedTiming().iterations > 1)
    ? [document.querySelectorAll("*").length, document.querySelector("main")?.clientWidth].join()
    : ""`;
/** Frames in which a page stays the same before it counts as drawn: a place is gone to after the frame in which it was asked for. */
const SAME_FRAMES = 6;

/** Waits until nothing of the page loads, fades or moves. Asked frame by frame: the page's policy lets nobody ask from within. */
export async function settled(page: Page): Promise<void> {
  let last = "";
  for (let same = 0; same < SAME_FRAMES; ) {
    const now = String(await page.evaluate(AT_REST));
    same = now !== "" && now === last ? same + 1 : 0;
    last = now;
    await page.evaluate("new Promise(requestAnimationFrame)");
  }
}
