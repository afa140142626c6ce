import { describe, expect, it } from "vitest";
import { decode, diff, encode, encodeFull } from "../../src/delta/index.ts";

const OLD = "# A\n\n## Status\n\n- Phase: 1\n\n```sh\nrun\n```\n";
const NEW = "# A\n\n## Status\n\n- Phase: 2\n\n```sh\nrun it\n```\n";
const countTokens = (text: string) => Math.ceil(text.length / 4);
const facts = { label: "GC", from: 1, to: 2, majorRestructure: 9, countTokens };

const delta = encode(diff(OLD, NEW), OLD, NEW, facts);
const full = encodeFull(NEW, { label: "GC", to: 2, countTokens });
const messages = [delta, full].map(made => (made.ok ? made.value.text : ""));

describe("a message that somebody has wrapped", () => {
  it.each([
    ["behind a line of prose", (text: string) => `Here is the update:\n${text}`],
    ["behind prose and a blank line", (text: string) => `Hello.\n\nThis came:\n\n${text}`],
    ["in a fence", (text: string) => `\`\`\`\n${text}\n\`\`\`\n`],
    [
      "in a fence with a name, prose around it",
      (text: string) => `Look:\n\n~~~~text\n${text}\n~~~~\n\nDone.`,
    ],
    ["in a fence, after blank lines", (text: string) => `\n\n\`\`\`\`md\n${text}\n\`\`\`\`\nThanks`],
  ])("[U14] %s is carried out as it was sent", (_, wrap) => {
    for (const message of messages) {
      expect(message).not.toBe("");
      const read = decode(wrap(message), OLD);
      expect(read.ok && { text: read.value.text, proven: read.value.proven }).toEqual({
        text: NEW,
        proven: true,
      });
    }
  });

  it("[U14] is still none where no head stands near its beginning, nor where only words name one", () => {
    for (const text of ["", "prose", `${"word ".repeat(1_000)}\n${messages[0]}`, `See ${messages[0]}`]) {
      const read = decode(text, OLD);
      expect(read.ok ? "read" : read.failure.kind).toBe("not-an-update");
    }
  });

  it("[U14] of which its fence takes a part is refused", () => {
    const cut = decode(`\`\`\`\n${messages[1]?.slice(0, -30)}\n\`\`\`\n`, OLD);
    expect(cut.ok).toBe(false);
  });
});
