import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openLab } from "../lab.ts";
import { openRepositoryLab, tasksFile } from "../repository/lab.ts";

const SECRET = "Zq7wXk93mNpL2vR";
const ENV = { SHOP_TOKEN: SECRET };

describe("commands that hear others without an engine", { timeout: 120_000 }, () => {
  it("[E43] draft neither writes nor shows a secret that the planner says", async () => {
    const plan = `# Plan\n\n- [ ] T1: use ${SECRET}\n- [ ] T2: b (depends on T1)\n`;
    await using lab = openLab({
      "answer.txt": `\`\`\`markdown\n${plan}\`\`\`\n`,
      "docs/spec.md": "# Spec\n",
    });
    Object.assign(lab.env, ENV);
    const { code, stdout, stderr } = await lab.ask("draft", "x", "--command", "cat answer.txt");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(lab.read("TASKS.md")).toBe(plan.replace(SECRET, "[redacted]"));
    expect(stdout + stderr).not.toContain(SECRET);
  });

  itWhole("[E43] phase merge shows no secret in what git says", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "0: Base": { "T0.1": ["run: echo 0 > base.txt"] },
        "1: Shop": { "T1.1": [`run: echo 1 > ${SECRET}.txt`] },
      }),
      "espalier.yaml": "phase: { merge: ask }\n",
    });
    expect((await lab.cli(["run", "--yes"], { env: ENV })).code).toBe(0);
    lab.write(`${SECRET}.txt`, "another\n");
    lab.git("add", "-A");
    lab.git("commit", "-q", "-m", "another");
    Object.assign(lab.env, ENV);
    const { code, stdout, stderr } = await lab.ask("phase", "merge", "1", "--yes");
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("[redacted].txt");
    expect(stdout + stderr).not.toContain(SECRET);
  });
});
