import { describe, expect, it } from "vitest";
import type { PackageReceipt } from "../../../src/assembly/index.ts";
import { DEFAULT_TREE } from "../../../src/engine/attempt/briefing.ts";
import { type Bench, openBench } from "../../engine/bench.ts";

const CHAIN = [
  "### [ ] T1.1: Schema\n",
  "### [ ] T1.2: Store\n- depends_on: [T1.1]\n",
  "### [ ] T1.3: Routes\n- depends_on: [T1.2]\n",
  "### [ ] T1.4: Page\n- depends_on: [T1.3]\n",
].join("\n");

const KIRO = [
  "- [ ] 1. Store",
  "- [ ] 1.1 Schema",
  "- [ ] 1.2 Tables",
  "- [ ] 2. Routes",
  "- [ ] 2.1 Get",
  "",
];

/** An answer with a report and what it hands over. */
const reported = (id: string, more = "") =>
  `The whole story of ${id}, told at length.\n\n## Handover\n- decisions: ${id} keeps it simple\n- must-know: ${id} is done${more}\n`;

/** Runs the tasks one after the other, each with its answer, to the prompt of the last one. */
async function promptOf(bench: Bench, last: string, answers: Readonly<Record<string, string>>) {
  void bench.start();
  for (const [id, answer] of Object.entries(answers)) {
    const part = await bench.puppets.next(id);
    part.say(`${answer}\nDONE:${part.id}`);
  }
  return (await bench.puppets.next(last)).prompt;
}

describe("what tasks further back handed over", () => {
  it("[G43] goes with the result that was waited for, the oldest first, and nothing else of them", async () => {
    using bench = openBench({ tasks: CHAIN });
    const answers = { "T1.1": reported("T1.1"), "T1.2": reported("T1.2"), "T1.3": reported("T1.3") };
    const prompt = await promptOf(bench, "T1.4", answers);
    const told = [...prompt.matchAll(/<result task="(T1\.\d)"([^>]*)>\n([^<]*)/g)];
    expect(told.map(([, task]) => task)).toEqual(["T1.1", "T1.2", "T1.3"]);
    const [first, , last] = told;
    expect(first?.[2]).toMatch(/level=3 of=\d+ get="espalier context get T1\.1"/);
    expect(first?.[3]).toBe("- decisions: T1.1 keeps it simple\n- must-know: T1.1 is done\n");
    expect(last?.[3]).toContain("The whole story of T1.3");
    const rows = bench.engine.library.rows.receipts("run-1", "T1.3");
    const { parts } = JSON.parse((rows.ok && rows.value[0]?.receipt) || "{}") as PackageReceipt;
    expect(parts.find(({ source }) => source === "T1.1#1")).toMatchObject({ in: true, why: "further-back" });
  });

  it("[G43] is given where the order of the file is that of the work, and no task names another", async () => {
    using bench = openBench({ tasks: KIRO.join("\n") });
    const prompt = await promptOf(bench, "2.1", { "1.1": reported("1.1"), "1.2": reported("1.2") });
    expect([...prompt.matchAll(/<result task="([\d.]+)"/g)].map(([, task]) => task)).toEqual(["1.1", "1.2"]);
    expect(prompt).not.toContain("The whole story");
  });

  it("[G43] is no more than the limit allows, the nearest; nothing of who handed nothing over, and nothing at all at 0", async () => {
    const long = ` ${"and more of it ".repeat(12)}`;
    const answers = { "T1.1": reported("T1.1", long), "T1.2": reported("T1.2", long), "T1.3": "ok" };
    const told = async (earlier: number, said = answers) => {
      using bench = openBench({ tasks: CHAIN, engine: { tree: { ...DEFAULT_TREE, earlier } } });
      const prompt = await promptOf(bench, "T1.4", said);
      return [...prompt.matchAll(/<result task="(T1\.\d)"/g)].map(([, task]) => task);
    };
    expect(await told(1_000)).toEqual(["T1.1", "T1.2", "T1.3"]);
    expect(await told(100)).toEqual(["T1.2", "T1.3"]);
    expect(await told(0)).toEqual(["T1.3"]);
    expect(await told(1_000, { ...answers, "T1.2": "all is built" })).toEqual(["T1.1", "T1.3"]);
  });

  it("[G43] is of the nearest as much as has room where that one alone passes the limit: statements, not parts of them", async () => {
    const many = Array.from(
      { length: 9 },
      (_, at) => `  - rule ${at} of T1.2 that holds for all who come after it`,
    );
    const long = `The story.\n\n## Handover\n- decisions: T1.2 keeps it simple\n- do-not:\n${many.join("\n")}\n`;
    using bench = openBench({ tasks: CHAIN, engine: { tree: { ...DEFAULT_TREE, earlier: 60 } } });
    const prompt = await promptOf(bench, "T1.4", { "T1.1": reported("T1.1"), "T1.2": long, "T1.3": "ok" });
    const told = /<result task="T1\.2"[^>]*>\n([^<]*)/.exec(prompt)?.[1] ?? "";
    expect(told).toMatch(
      /^- decisions: T1\.2 keeps it simple\n- do-not:\n( {2}- rule \d of T1\.2 that holds for all who come after it\n){2,4}$/,
    );
  });
});
