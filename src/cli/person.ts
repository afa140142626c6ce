import type { Io } from "./io.ts";

/** A person who can be asked; undefined is the answer of one who leaves. */
export interface Person {
  line(message: string, initial: string): Promise<string | undefined>;
  yes(message: string): Promise<boolean | undefined>;
}

/** The person at a terminal. */
export async function personAt(io: Io): Promise<Person> {
  const { text, confirm, isCancel } = await import("@clack/prompts");
  const ends = { input: io.stdin, output: io.stdout };
  return {
    async line(message, initialValue) {
      const answer = await text({ message, initialValue, ...ends });
      return isCancel(answer) ? undefined : (answer ?? "").trim();
    },
    async yes(message) {
      const answer = await confirm({ message, initialValue: true, ...ends });
      return isCancel(answer) ? undefined : answer;
    },
  };
}
