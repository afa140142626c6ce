import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { type DocumentFiles, documentInFile } from "../../../src/context/library/index.ts";
import { because, fail, ok } from "../../../src/ports/index.ts";
import { type Bench, openBench } from "../../engine/bench.ts";
import type { Part } from "../../engine/puppets.ts";
import { told } from "../../reasons.ts";

const TASKS = [
  "### [ ] T1.1: Describe the API\n- fills: ctx-api\n",
  "### [ ] T1.2: Client\n- context: ctx-api\n",
].join("\n");

/** The file a fill may leave its document in. */
const fileOf = (part: Part): string => part.request.env["ESPALIER_DOCUMENT"] ?? "";

function leave(part: Part, text: string | Uint8Array): void {
  mkdirSync(dirname(fileOf(part)), { recursive: true });
  writeFileSync(fileOf(part), text);
}

const files = (texts: Readonly<Record<string, string>>): DocumentFiles => ({
  list: () => ok([]),
  read: path =>
    texts[path] === undefined
      ? fail({ kind: "missing", path, message: `${path} does not exist` })
      : ok(texts[path]),
});

const textOf = (bench: Bench, label: string) => {
  const text = bench.engine.shared.text(label);
  return text.ok ? text.value?.text : undefined;
};

describe("the document of a fill that stands in a file", () => {
  it("[G15] is the one it was given for that, byte for byte and longer than an answer may be", async () => {
    using bench = openBench({ tasks: TASKS });
    const end = bench.start();
    const fill = await bench.puppets.next("T1.1");
    expect(fill.prompt).toContain("A long document you may write to .espalier/attempts/");
    const long = `# API\r\n\n${"- route: /trees\n".repeat(6000)}DONE:${fill.id}\n[ADD_CONTEXT:ctx-api]x[/ADD_CONTEXT]\n`;
    expect(long.length).toBeGreaterThan(64 * 1024);
    leave(fill, long);
    fill.say(`I wrote it down.\nDONE:${fill.id}`);
    const client = await bench.puppets.next("T1.2");
    expect(textOf(bench, "fill-T1.1")).toBe(long);
    // What stands in a document adds nothing.
    expect(client.prompt).not.toContain('label="add-T1.1-1-1"');
    expect(client.request.env["ESPALIER_DOCUMENT"]).toBeUndefined();
    expect(client.prompt).not.toContain("you may write to");
    client.say(`DONE:${client.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[G15] without secrets, and blocks of the answer beside it are taken in", async () => {
    using bench = openBench({ tasks: TASKS });
    void bench.start();
    const fill = await bench.puppets.next("T1.1");
    leave(fill, "the key is hunter2-hunter2");
    fill.say(`[ADD_CONTEXT:ctx-api]a find[/ADD_CONTEXT]\nDONE:${fill.id}`);
    const { prompt } = await bench.puppets.next("T1.2");
    expect(prompt).not.toContain("hunter2");
    expect(prompt).toContain("the key is ");
    expect(prompt).toContain("a find\n</document");
  });

  it.each([
    ["no text", Buffer.from([0xff, 0xfe, 0x41]), "is no UTF-8 text (byte 0)"],
    ["too long", Buffer.alloc(4 * 1024 ** 2 + 1, 65), "document.md"],
  ])("[G15] [G6] that is %s fails the fill, which is told why", async (_name, bytes, why) => {
    using bench = openBench({ tasks: TASKS });
    void bench.start();
    const fill = await bench.puppets.next("T1.1");
    leave(fill, bytes);
    fill.say(`# API\nDONE:${fill.id}`);
    const again = await bench.puppets.next("T1.1");
    expect(again.prompt).toContain("no document for ctx-api: ");
    expect(again.prompt).toContain(why);
    // The next attempt has a file of its own, in which nothing stands.
    expect(fileOf(again)).not.toBe(fileOf(fill));
    again.say(`# API\nDONE:${again.id}`);
    await bench.puppets.next("T1.2");
    expect(textOf(bench, "fill-T1.1")).toBe("# API");
  });

  it("[G15] [G6] that is a link is not followed", async () => {
    using bench = openBench({ tasks: TASKS });
    void bench.start();
    const fill = await bench.puppets.next("T1.1");
    mkdirSync(dirname(fileOf(fill)), { recursive: true });
    symlinkSync("/etc/hostname", fileOf(fill));
    fill.say(`# API\nDONE:${fill.id}`);
    expect((await bench.puppets.next("T1.1")).prompt).toContain("no document for ctx-api: ");
  });

  it("[G15] of an earlier run of the same name is not taken for this one's", async () => {
    const first = openBench({ tasks: TASKS });
    void first.start();
    const fill = await first.puppets.next("T1.1");
    leave(fill, "old");
    using second = openBench({
      tasks: TASKS,
      puppets: { opening: async request => expect(request.attempt).toBe(1) },
    });
    leave(
      {
        ...fill,
        request: {
          ...fill.request,
          env: { ESPALIER_DOCUMENT: fileOf(fill).replace(first.folder, second.folder) },
        },
      },
      "old",
    );
    first[Symbol.dispose]();
    void second.start();
    const anew = await second.puppets.next("T1.1");
    anew.say(`# New\nDONE:${anew.id}`);
    await second.puppets.next("T1.2");
    expect(textOf(second, "fill-T1.1")).toBe("# New");
  });

  it("[G15] is the file it was expected to write", async () => {
    using bench = openBench({
      tasks: TASKS.replace("- fills: ctx-api", "- fills: ctx-api\n- expects: docs/api.md"),
      world: { documents: files({ "docs/api.md": "# From the file\n" }), exists: () => true },
    });
    void bench.start();
    const fill = await bench.puppets.next("T1.1");
    fill.say(`written to docs/api.md\nDONE:${fill.id}`);
    expect((await bench.puppets.next("T1.2")).prompt).toContain("# From the file\n</document");
    expect(textOf(bench, "fill-T1.1")).toBe("# From the file\n");
  });

  it("[G15] the one left for that goes before the expected ones, and these before the answer", () => {
    const folder = files({ "a.md": "A\n\n", "b.md": "B", "blank.md": " \n" });
    const find = (expects: string[] | undefined, left: Parameters<typeof documentInFile>[1]["left"]) =>
      documentInFile(expects === undefined ? {} : { expects }, { left, files: folder });
    expect(find(["a.md"], ok("left"))).toEqual(ok("left"));
    expect(find(["a.md"], ok(undefined))).toEqual(ok("A\n\n"));
    expect(find(["diff", "a.md", "b.md"], ok(undefined))).toEqual(ok("A\n\nB"));
    expect(find(["diff"], ok(undefined))).toEqual(ok(undefined));
    expect(find(undefined, ok(undefined))).toEqual(ok(undefined));
    expect(find(["c.md"], ok(undefined))).toEqual(fail(told("c.md does not exist")));
    expect(find(["blank.md"], ok(undefined))).toEqual(fail(told("blank.md holds no text")));
    expect(find(["a.md"], fail("is a pipe"))).toEqual(
      fail(because("said", { by: "system", text: "is a pipe" })),
    );
  });
});
