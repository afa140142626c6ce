import { ok as assert, deepStrictEqual } from "node:assert/strict";
import type { Model, ModelQuestion } from "../ports/model.ts";
import type { ConformanceCase } from "./store.ts";

/** What an adapter's author hands to the suite: models whose provider behaves in a known way. */
export interface ModelSetup {
  /** The provider answers with this text. */
  readonly answering: (text: string) => Promise<ModelPlace>;
  /** The provider never answers. */
  readonly silent: () => Promise<ModelPlace>;
  /** There is no provider at its address. */
  readonly unreachable: () => Promise<ModelPlace>;
}

/** One model to test. */
export interface ModelPlace {
  readonly model: Model;
  readonly dispose?: () => void | PromiseLike<void>;
}

const QUESTION: ModelQuestion = {
  instructions: "Answer with one JSON object.",
  prompt: "What is it?",
  schema: { type: "object", properties: { it: { type: "string" } } },
  maxOutputTokens: 100,
  timeoutMs: 5000,
};

type Check = (setup: ModelSetup) => Promise<void>;

const RULES: readonly (readonly [name: string, check: Check])[] = [
  [
    "answers with the JSON value the provider gave",
    setup =>
      using(setup.answering('{"it": "가 \\u00e9 😀", "more": [1]}'), async model => {
        const answer = await model.answer(QUESTION);
        deepStrictEqual(answer.ok && answer.value.value, { it: "가 é 😀", more: [1] });
      }),
  ],
  ...['{"it": ', "no JSON at all", ""].map((text): readonly [string, Check] => [
    `fails as malformed on ${JSON.stringify(text)}`,
    setup =>
      using(setup.answering(text), async model => {
        const answer = await model.answer(QUESTION);
        assert(!answer.ok && answer.failure.kind === "malformed", JSON.stringify(answer));
        assert(answer.failure.message !== "");
      }),
  ]),
  [
    "gives up after its time",
    setup =>
      using(setup.silent(), async model => {
        const answer = await model.answer({ ...QUESTION, timeoutMs: 200 });
        assert(!answer.ok && answer.failure.kind === "timeout", JSON.stringify(answer));
        assert(answer.failure.retryable);
      }),
  ],
  [
    "fails as a value when nobody is there",
    setup =>
      using(setup.unreachable(), async model => {
        const answer = await model.answer(QUESTION);
        assert(!answer.ok && answer.failure.kind === "network", JSON.stringify(answer));
      }),
  ],
  [
    "answers several questions at once",
    setup =>
      using(setup.answering('{"it": 1}'), async model => {
        const answers = await Promise.all([1, 2, 3, 4].map(() => model.answer(QUESTION)));
        deepStrictEqual(
          answers.map(answer => answer.ok && answer.value.value),
          [{ it: 1 }, { it: 1 }, { it: 1 }, { it: 1 }],
        );
      }),
  ],
  [
    "has a name and a version of the port",
    setup =>
      using(setup.answering("{}"), model => {
        deepStrictEqual(model.portVersion, 1);
        assert(model.name !== "");
      }),
  ],
];

async function using(
  place: Promise<ModelPlace>,
  check: (model: Model) => void | Promise<void>,
): Promise<void> {
  const { model, dispose } = await place;
  try {
    await check(model);
  } finally {
    await dispose?.();
  }
}

/** Every requirement of the Model port, as cases for any test runner. */
export function modelConformance(setup: ModelSetup): readonly ConformanceCase[] {
  return RULES.map(([name, check]) => ({ name, run: () => check(setup) }));
}
