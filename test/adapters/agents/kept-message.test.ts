import { describe, expect, it } from "vitest";
import { createEventQueue } from "../../../src/adapters/agent/event-queue.ts";
import { keptMessage, MESSAGE_BYTES } from "../../../src/adapters/agent/kept-message.ts";
import { createSaid } from "../../../src/adapters/agent/said-lines.ts";
import { createTextReader } from "../../../src/adapters/agent/text-reader.ts";
import { createByteTail } from "../../../src/adapters/process/index.ts";
import { fillProblem } from "../../../src/context/library/index.ts";
import { isCut } from "../../../src/text/index.ts";

const english = Array.from({ length: 6000 }, (_, at) => `row ${at}: port ${8000 + at}\n`).join("");
const korean = Array.from({ length: 4000 }, (_, at) => `항목 ${at}: 센서 값은 ${at}이다.\n`).join("");
const bytes = (text: string) => Buffer.byteLength(text);

function kept(text: string, after?: string): string {
  const tail = createByteTail(MESSAGE_BYTES);
  tail.push(Buffer.from(text));
  return keptMessage({ text: tail.text(), left: tail.left }, after);
}

describe("a message that is longer than what is kept", () => {
  it.each([
    ["en", english, /^\(Cut: the first (\d+) bytes of this answer are only in its log\.\)$/],
    ["ko", korean, /^\(잘림: 이 답변의 처음 (\d+)바이트는 로그에만 있음\)$/],
  ])(
    "[AC36] says so in its first line, with what is gone, and begins with a whole line (%s)",
    (_, text, note) => {
      const [first = "", ...rest] = kept(text).split("\n");
      const end = rest.join("\n");
      expect(text.endsWith(`\n${end}`)).toBe(true);
      expect(first).toMatch(note);
      expect(Number(note.exec(first)?.[1])).toBe(bytes(text) - bytes(end));
      expect(bytes(kept(text))).toBeLessThanOrEqual(MESSAGE_BYTES);
      expect(bytes(end)).toBeGreaterThan(MESSAGE_BYTES - 300);
    },
  );

  it("[AC36] is whole as long as it has room, and one line is cut where it must be", () => {
    for (const text of ["", "short", "x".repeat(MESSAGE_BYTES), "가".repeat(21_845)])
      expect(kept(text)).toBe(text);
    for (const text of ["x".repeat(MESSAGE_BYTES + 1), "가".repeat(21_846), "😀".repeat(20_000)]) {
      const told = kept(text);
      expect(isCut(told)).toBe(true);
      expect(text.endsWith(told.slice(told.indexOf("\n") + 1))).toBe(true);
    }
    expect(isCut(kept("x".repeat(MESSAGE_BYTES), "\nbroken"))).toBe(true);
    expect(kept(english, "\nbroken").endsWith("\nbroken")).toBe(true);
  });

  it("[AC36] becomes no document, also where what was said before it stands above", () => {
    for (const text of [english, korean])
      expect(fillProblem(`Read.\n\n${kept(text).slice(0, 40_000)}`)?.code).toBe("document-too-long");
  });

  it("[AC36] becomes no document, however its characters fall, by whatever reader it came", () => {
    for (const pad of ["", "a", "ab"]) {
      const text = `${pad}${korean}끝`;
      const queue = createEventQueue(() => {});
      const reader = createTextReader({ agent: "a", queue, mask: undefined, byExit: false, limits: [] });
      reader.write("stdout", Buffer.from(text));
      const said = createSaid(queue);
      said.piece(text);
      const told = [reader.end({ exitCode: 0, cause: "exit" }).finalMessage, said.message()];
      for (const message of told) {
        expect(isCut(message)).toBe(true);
        expect(fillProblem(message)?.code).toBe("document-too-long");
      }
    }
  });
});
