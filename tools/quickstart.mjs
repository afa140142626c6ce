// `npm start`: runs the example job in a scratch folder and says what can be opened afterwards.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "espalier-quickstart-"));
cpSync(join(root, "examples", "quickstart"), folder, { recursive: true });

const espalier = join(root, "bin", "espalier.js");
const child = spawn(process.execPath, [espalier, "run", ...process.argv.slice(2)], {
  cwd: folder,
  stdio: "inherit",
});
// The child has the terminal and hears Ctrl+C itself; we only wait for what it makes of it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
child.on("exit", code => {
  process.exitCode = code ?? 1;
  if (code !== 0) return;
  const page = join(folder, "site", "index.html");
  process.stdout.write(
    [
      "",
      "What happened: Espalier read TASKS.md, ran its tasks in order and side by side, tried the one that failed",
      "again, checked each result with the task's own verify command, and ticked the boxes. What T1.1 found out reached",
      "T2.1 through the context tree, and each attempt has a receipt of what it was given to read.",
      "",
      `  the page it made    ${pathToFileURL(page).href}`,
      `  the task list now   ${join(folder, "TASKS.md")}`,
      `  what T2.1 read      cd ${folder} && espalier context receipt T2.1`,
      `  its log             ${join(folder, ".espalier", "orchestrate.log")}`,
      "",
      "See it in a browser: npm run quickstart -- --dashboard   (open the link it prints; Ctrl+C ends it)",
      "",
      "Next, on a task file of your own:",
      "  npm link                      # puts espalier on your path, once",
      "  cd your/project",
      "  espalier plan",
      "  espalier run --agent command --command 'your-agent --flags'",
      "",
    ].join("\n"),
  );
});
