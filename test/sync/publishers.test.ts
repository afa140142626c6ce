import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DECODE_LIMITS } from "../../src/delta/index.ts";
import {
  createLead,
  isAsBefore,
  type Lead,
  type LeadStep,
  leadStep,
  type SyncEvent,
} from "../../src/sync/index.ts";
import { CONSTANT, growth } from "../growth.ts";
import { casesOf } from "../sample.ts";
import { CODEC } from "./team.ts";

/** A document as publishers think of it: titles and their texts, in order. */
type Sections = ReadonlyMap<string, string>;

const TITLES = ["Status", "Decisions", "Contracts", "Questions", "Next"];

function written(sections: Sections): string {
  return `# Orders\n\n${[...sections].map(([title, text]) => `## ${title}\n\n${text}\n`).join("\n")}`;
}

function begun(): Map<string, string> {
  return new Map(TITLES.map(title => [title, `- ${title} as it began`]));
}

function leadWith(text: string, keepVersions = 20): Lead {
  const lead = createLead("GC", { keepVersions });
  if (lead === undefined) throw new Error("no lead");
  publish(lead, text, undefined);
  return lead;
}

function publish(lead: Lead, text: string, base: number | undefined, by = "lead"): LeadStep {
  return leadStep(
    lead,
    { type: "publish", text, by, now: 0, ...(base === undefined ? {} : { base }) },
    CODEC,
  );
}

/** A lead of a document that a file was published as. */
function leadOfFile(): Lead {
  const lead = createLead("GC", { keepVersions: 30 });
  if (lead === undefined) throw new Error("no lead");
  publish(lead, written(begun()), undefined, "docs/a.md");
  return lead;
}

function only<Type extends SyncEvent["type"]>(
  step: LeadStep,
  type: Type,
): Extract<SyncEvent, { type: Type }> {
  const found = step.events.filter(event => event.type === type);
  expect(found).toHaveLength(1);
  return found[0] as Extract<SyncEvent, { type: Type }>;
}

/** What became of a publication: the one event that says so. */
function outcomeOf(step: LeadStep): SyncEvent | undefined {
  return step.events.find(({ type }) => type === "published" || type === "refused" || type === "unchanged");
}

const current = (lead: Lead): string => lead.contents.get(lead.versions.length) ?? "";

/** Publishers that each edit the version they last saw, one section at a time. */
const EDITS = fc.array(
  fc.record({
    who: fc.nat(2),
    section: fc.constantFrom(...TITLES),
    /** Whether it reads the newest version before it edits. */
    reads: fc.boolean(),
    word: fc.stringMatching(/^[a-z]{1,6}$/),
  }),
  { minLength: 1, maxLength: 14 },
);

describe("publishers at once", () => {
  it("[SV3] [SV4] every accepted edit is in the document, every refused one is not, and nobody's work is lost", () => {
    fc.assert(
      fc.property(EDITS, edits => {
        const lead = leadWith(written(begun()));
        /** What the document has to say: the sections as the accepted edits left them. */
        const truth = begun();
        const seen = [0, 1, 2].map(() => ({ version: 1, sections: begun() }));
        for (const [at, { who, section, reads, word }] of edits.entries()) {
          const mine = seen[who]!;
          if (reads) Object.assign(mine, { version: lead.versions.length, sections: new Map(truth) });
          const base = mine.sections.get(section);
          const text = `- ${section}: ${word} ${at}`;
          const edited = new Map(mine.sections).set(section, text);
          const isOurs = truth.get(section) === base;
          const theirs = truth.get(section)!;
          const event = outcomeOf(publish(lead, written(edited), mine.version, `p${who}`));
          if (isOurs) truth.set(section, text);
          expect(current(lead)).toBe(written(truth));
          const version = lead.versions.length;
          const mergedFrom = mine.version === version - 1 ? {} : { mergedFrom: mine.version };
          const shown = {
            section,
            current: expect.stringContaining(theirs),
            published: expect.stringContaining(text),
          };
          const clashes = expect.arrayContaining([expect.objectContaining(shown)]);
          expect(event).toMatchObject(
            isOurs
              ? { type: "published", version, ...mergedFrom }
              : { type: "refused", reason: "same-section", base: mine.version, current: version, clashes },
          );
          if (isOurs) Object.assign(mine, { version, sections: new Map(truth) });
        }
      }),
      { numRuns: casesOf(100, 400) },
    );
  });

  it("[SV3] two of them at once come to the same document in either order, where their sections differ", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(TITLES, { minLength: 2 }), fc.nat(3), (titles, cut) => {
        const split = 1 + (cut % (titles.length - 1));
        const [one, other] = [titles.slice(0, split), titles.slice(split)].map((mine, who) => {
          const sections = begun();
          for (const title of mine) sections.set(title, `- ${title} by ${who}`);
          return written(sections);
        }) as [string, string];
        const outcome = [
          [one, other],
          [other, one],
        ].map(texts => {
          const lead = leadWith(written(begun()));
          for (const text of texts) only(publish(lead, text, 1), "published");
          return current(lead);
        });
        expect(outcome[0]).toBe(outcome[1]);
        for (const title of titles) expect(outcome[0]).toMatch(new RegExp(`- ${title} by [01]`));
      }),
    );
  });

  it("[SV3] one whose text was merged goes on from its own text: nothing of the others is lost, and it is not in its own way", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ own: fc.boolean(), word: fc.stringMatching(/^[a-z]{1,6}$/) }), {
          maxLength: 12,
        }),
        edits => {
          const lead = leadWith(written(begun()));
          const [file, other] = [begun(), begun()];
          let last = { base: 1, edited: written(file) };
          for (const [at, { own, word }] of edits.entries()) {
            if (own) {
              file.set("Status", `- ${word} ${at}`);
              const text = written(file);
              leadStep(lead, { type: "publish", text, by: "file", now: 0, ...last }, CODEC);
              last = { base: lead.versions.length, edited: text };
            } else {
              const now = begun();
              now.set("Status", file.get("Status")!);
              other.set("Next", `- ${word} ${at}`);
              now.set("Next", other.get("Next")!);
              publish(lead, written(now), lead.versions.length, "other");
            }
            const both = begun();
            both.set("Status", file.get("Status")!);
            both.set("Next", other.get("Next")!);
            expect(current(lead)).toBe(written(both));
          }
        },
      ),
    );
  });

  it("[SV9] a file is neither taken back by its reader nor takes back what others wrote, named as it may be", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ own: fc.boolean(), word: fc.stringMatching(/^[a-z]{1,6}$/) }), {
          maxLength: 12,
        }),
        edits => {
          const lead = leadOfFile();
          const [file, other] = [begun(), begun()];
          for (const [at, { own, word }] of edits.entries()) {
            if (own) file.set("Status", `- ${word} ${at}`);
            else {
              other.set("Next", `- ${word} ${at}`);
              const now = begun();
              now.set("Status", file.get("Status")!);
              now.set("Next", other.get("Next")!);
              publish(lead, written(now), lead.versions.length, "other");
            }
            // Read again and again, changed or not.
            const by = at % 2 === 0 ? "docs/a.md" : "file docs/a.md";
            const text = written(file);
            leadStep(lead, { type: "publish", text, by, follows: true, now: 0 }, CODEC);
            const both = begun();
            both.set("Status", file.get("Status")!);
            both.set("Next", other.get("Next")!);
            expect(current(lead)).toBe(written(both));
          }
        },
      ),
    );
  });

  it("[SV9] who outranks others stands where both changed one section; else the change is refused", () => {
    const change = (lead: Lead, more: object) => {
      const mine = begun();
      mine.set("Status", "- mine");
      const input = { type: "publish", text: written(mine), by: "docs/a.md", follows: true, now: 0 } as const;
      return leadStep(lead, { ...input, ...more }, CODEC).events.map(({ type }) => type);
    };
    const theirs = begun();
    theirs.set("Status", "- theirs");
    const [lead, other] = [leadOfFile(), leadOfFile()];
    for (const one of [lead, other]) publish(one, written(theirs), 1, "other");
    expect(isAsBefore(lead, "file docs/a.md", written(begun()))).toBe(true);
    expect(change(lead, {})).toEqual(["refused"]);
    expect(current(lead)).toContain("- theirs");
    expect(change(other, { outranks: true })).toEqual(["published"]);
    expect(current(other)).toContain("- mine");
  });

  it("[SV4] what is refused is not refused any more when it is laid on the current version", () => {
    const lead = leadWith(written(begun()));
    const [mine, theirs] = [begun().set("Status", "- mine"), begun().set("Status", "- theirs")];
    only(publish(lead, written(theirs), 1), "published");
    const refused = only(publish(lead, written(mine), 1), "refused");
    expect([refused.base, refused.current]).toEqual([1, 2]);
    const both = begun().set("Status", "- theirs\n- mine");
    expect(only(publish(lead, written(both), refused.current), "published").version).toBe(3);
    expect(current(lead)).toBe(written(both));
  });

  it("[SV4] every section that both changed is shown, and one that both removed or changed alike is not", () => {
    const lead = leadWith(written(begun()));
    const theirs = begun().set("Status", "- theirs").set("Next", "- theirs").set("Contracts", "- alike");
    theirs.delete("Questions");
    only(publish(lead, written(theirs), 1), "published");
    const mine = begun().set("Status", "- mine").set("Next", "- mine").set("Contracts", "- alike");
    mine.delete("Questions");
    const { clashes } = only(publish(lead, written(mine), 1), "refused");
    expect(clashes.map(({ section }) => section)).toEqual(["Status", "Next"]);
  });

  it("[SV4] a section that one removed and the other changed is refused, with nothing on the one side", () => {
    const lead = leadWith(written(begun()));
    const without = begun();
    without.delete("Decisions");
    only(publish(lead, written(without), 1), "published");
    const { clashes } = only(publish(lead, written(begun().set("Decisions", "- mine")), 1), "refused");
    expect(clashes).toHaveLength(1);
    expect(clashes[0]).toMatchObject({ section: "Decisions", current: "" });
    expect(clashes[0]?.published).toContain("- mine");
  });

  it.each([0, -1, 7, 1.5, Number.NaN])(
    "[SV4] a base of %d, which nobody published, is refused without a trace",
    base => {
      const lead = leadWith(written(begun()));
      const before = structuredClone(lead.versions);
      const refused = only(publish(lead, written(begun().set("Next", "- x")), base), "refused");
      expect(refused.reason).toBe("unknown-base");
      expect(lead.versions).toEqual(before);
    },
  );

  it("[SV2] [SV4] texts that no message can carry are refused before anything is compared", () => {
    const lead = leadWith(written(begun()));
    expect(only(publish(lead, "half \ud83d of a pair", 1), "refused").reason).toBe("not-unicode");
    const publishLarge = (text: string) => only(publish(lead, text, 1), "refused").reason;
    expect(publishLarge("x".repeat(100_000_000))).toBe("too-large");
    expect(growth(2 * DECODE_LIMITS.document, size => "x".repeat(size), publishLarge)).toBeLessThan(CONSTANT);
    expect(lead.versions).toHaveLength(1);
  });

  it("[SV3] a hundred publishers on one base, each with a section of its own, all get through", () => {
    const titles = Array.from({ length: 100 }, (_, at) => `Part ${at + 100}`);
    const base = new Map(titles.map(title => [title, "- open"]));
    const lead = leadWith(written(base), 100);
    for (const title of titles)
      only(publish(lead, written(new Map(base).set(title, `- done ${title}`)), 1), "published");
    expect(current(lead)).toBe(written(new Map(titles.map(title => [title, `- done ${title}`]))));
  });

  it("[SV4] [SV7] one that edits a version far behind is told that it is not kept, and nothing is guessed", () => {
    const lead = leadWith(written(begun()), 3);
    for (let at = 0; at < 20; at++) publish(lead, written(begun().set("Next", `- ${at}`)), undefined);
    const refused = only(publish(lead, written(begun().set("Status", "- late")), 1), "refused");
    expect(refused).toMatchObject({ reason: "unknown-base", base: 1, current: 21, clashes: [] });
    expect(current(lead)).toContain("- 19");
    only(publish(lead, written(begun().set("Next", "- 19").set("Status", "- late")), 20), "published");
    expect(current(lead)).toContain("- late");
  });
});
