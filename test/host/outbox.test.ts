import { expect, it } from "vitest";
import { createOutbox } from "../../src/host/run/outbox.ts";
import { because, type RunEvent } from "../../src/ports/index.ts";

it("[HO6] tells what it was told before anybody heard, in order, and then at once", () => {
  const outbox = createOutbox();
  const heard: string[] = [];
  const note = (type: string) => ({ type }) as RunEvent;
  outbox.warn("A", because("nothing-runs", {}));
  outbox.note(note("b"));
  outbox.deliver({
    warn: (code, _message, task) => heard.push(`${code} ${task}`),
    note: event => heard.push(event.type),
  });
  expect(heard).toEqual(["A undefined", "b"]);
  outbox.warn("C", because("nothing-runs", {}), "T1");
  expect(heard).toEqual(["A undefined", "b", "C T1"]);
});
