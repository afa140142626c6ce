import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { permissionsKept } from "../../src/host/approval/approval.ts";

const MODULE = new URL("../../src/host/approval/approval.ts", import.meta.url);
const CALLS = 20;
const PROCESSES = 4;

/** A process that keeps calls for a project of its own, one after the other. */
const KEEPER = `
  const [state, root] = process.argv.slice(1);
  const { permissionsKept } = await import(${JSON.stringify(MODULE.href)});
  const kept = permissionsKept({ XDG_STATE_HOME: state }, root, "en");
  for (let n = 0; n < ${CALLS}; n++) {
    const why = kept.keep({ kind: "execute", title: "call " + n });
    if (why !== undefined) throw new Error(why);
  }
`;

describe("approvals", () => {
  it("[HO80] of several projects that are given at once are all kept", async () => {
    const state = mkdtempSync(join(tmpdir(), "espalier-approvals-"));
    try {
      const roots = Array.from({ length: PROCESSES }, (_, n) => `/project/${n}`);
      const ends = await Promise.all(
        roots.map(async root => {
          const node = ["--input-type=module", "-e", KEEPER, "--", state, root];
          const child = spawn(process.execPath, node, { stdio: ["ignore", "ignore", "inherit"] });
          return (await once(child, "exit"))[0];
        }),
      );
      expect(ends).toEqual(roots.map(() => 0));
      for (const root of roots) {
        const kept = permissionsKept({ XDG_STATE_HOME: state }, root, "en");
        const missing = Array.from({ length: CALLS }, (_, n) => `call ${n}`).filter(
          title => !kept.allows({ kind: "execute", title }),
        );
        expect(missing).toEqual([]);
      }
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  });
});
