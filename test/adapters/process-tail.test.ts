import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createByteTail, lastLine } from "../../src/adapters/process/index.ts";
import { cappedLog } from "../../src/ports/index.ts";

describe("the tail of a stream", () => {
  it("is the last bytes of everything, however it came", () => {
    const letters = fc.uint8Array({ min: 97, max: 122, maxLength: 300 });
    fc.assert(
      fc.property(fc.array(letters), fc.integer({ min: 1, max: 200 }), (chunks, capacity) => {
        const tail = createByteTail(capacity);
        for (const chunk of chunks) {
          const reused = Uint8Array.from(chunk);
          tail.push(reused);
          reused.fill(0);
        }
        const all = Buffer.concat(chunks);
        expect(tail.total).toBe(all.length);
        expect(tail.text()).toBe(all.subarray(Math.max(0, all.length - capacity)).toString());
      }),
    );
  });

  it("begins with a whole character", () => {
    for (const letter of ["é", "한", "🌱"]) {
      for (let capacity = 1; capacity < 12; capacity += 1) {
        const tail = createByteTail(capacity);
        tail.push(Buffer.from(letter.repeat(20)));
        const kept = tail.text();
        expect(letter.repeat(20).endsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeGreaterThan(capacity - Buffer.byteLength(letter));
      }
    }
  });

  it("keeps bad bytes at the front of a whole stream as U+FFFD", () => {
    const tail = createByteTail(100);
    tail.push(Uint8Array.of(0x80, 0x41, 0xff));
    expect(tail.text()).toBe("\ufffdA\ufffd");
  });

  it("leaves the rest of a line out whose beginning is gone, where whole lines are asked for", () => {
    const tail = createByteTail(10);
    tail.push(Buffer.from("one\ntwo\n"));
    expect(tail.wholeLines()).toBe("one\ntwo\n");
    tail.push(Buffer.from("three\n"));
    expect([tail.text(), tail.wholeLines()]).toEqual(["two\nthree\n", "three\n"]);
    tail.push(Buffer.from("x".repeat(20)));
    expect(tail.wholeLines()).toBe("");
  });

  it("takes no memory before the first byte and little for few", () => {
    expect(createByteTail(1 << 30).text()).toBe("");
    const tail = createByteTail(1 << 30);
    tail.push(Buffer.from("a"));
    expect(tail.text()).toBe("a");
  });
});

describe("the last line", () => {
  it.each([
    ["", ""],
    ["\n\n", ""],
    ["a", "a"],
    ["a\nb\n", "b"],
    ["a\nb \n\n  \n", "b"],
    ["a\r\nb\r\n", "b"],
    ["  indented", "  indented"],
  ])("of %j is %j", (text, line) => {
    expect(lastLine(text)).toBe(line);
  });
});

describe("the log's limit", () => {
  function logged(limit: number, chunks: readonly string[]): string {
    const kept: Uint8Array[] = [];
    const log = cappedLog((_, chunk) => void kept.push(chunk), limit);
    for (const chunk of chunks) {
      const reused = Buffer.from(chunk);
      log("stdout", reused);
      reused.fill(0);
    }
    return Buffer.concat(kept).toString();
  }

  it("lets everything through up to the last byte", () => {
    expect(logged(6, ["abc", "", "def"])).toBe("abcdef");
    expect(logged(6, ["abc", "def", ""])).toBe("abcdef");
  });

  it("cuts at the limit, says so in one line, and then is silent", () => {
    const note = "\n[espalier] log limit of 5 bytes reached; later output is not kept\n";
    expect(logged(5, ["abc", "def", "ghi"])).toBe(`abcde${note}`);
    expect(logged(5, ["abcde", "f", "g"])).toBe(`abcde${note}`);
    expect(logged(0, ["a"])).toBe("\n[espalier] log limit of 0 bytes reached; later output is not kept\n");
    expect(logged(0, [""])).toBe("");
  });

  it("counts both streams together", () => {
    const streams: string[] = [];
    const log = cappedLog((stream, chunk) => void streams.push(`${stream} ${chunk.length}`), 3);
    log("stdout", Buffer.from("ab"));
    log("stderr", Buffer.from("cd"));
    expect(streams.slice(0, 2)).toEqual(["stdout 2", "stderr 1"]);
    expect(streams).toHaveLength(3);
  });
});
