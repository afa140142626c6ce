import type { Locale } from "../text/index.ts";
import type { Io } from "./io.ts";

/** A person who can be asked; undefined is the answer of one who leaves. */
export interface Person {
  line(message: string, initial: string): Promise<string | undefined>;
  /** `preset` is the answer of who only presses Enter. */
  yes(message: string, preset?: boolean): Promise<boolean | undefined>;
}

const ANSWERS: Readonly<Record<Locale, { readonly active: string; readonly inactive: string }>> = {
  en: { active: "Yes", inactive: "No" },
  ko: { active: "예", inactive: "아니요" },
};

/** Columns of a terminal that tells none; a question laid out for 0 has one letter on each line. */
const USUAL_COLUMNS = 80;

/** The person at a terminal, asked in a language. */
export async function personAt(io: Io, locale: Locale): Promise<Person> {
  const { text, confirm, isCancel } = await import("@clack/prompts");
  const { stdin: input, stdout: output } = io;
  if (!(output.columns > 0)) output.columns = USUAL_COLUMNS;
  const ends = { input, output };
  return {
    async line(message, initialValue) {
      const answer = await untilLeft(input, signal => text({ message, initialValue, ...ends, signal }));
      return isCancel(answer) ? undefined : (answer ?? "").trim();
    },
    async yes(message, initialValue = true) {
      const question = { message, initialValue, ...ANSWERS[locale], ...ends };
      const answer = await untilLeft(input, signal => confirm({ ...question, signal }));
      return isCancel(answer) ? undefined : answer;
    },
  };
}

/** Asks a question that Ctrl+D leaves as Ctrl+C does: it ends the reading of lines, and no answer would ever come. */
async function untilLeft<T>(input: NodeJS.ReadStream, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const left = new AbortController();
  const leave = (_: unknown, key: { readonly ctrl?: boolean; readonly name?: string } | undefined) => {
    if (key?.ctrl === true && key.name === "d") left.abort();
  };
  input.on("keypress", leave);
  try {
    return await ask(left.signal);
  } finally {
    input.off("keypress", leave);
  }
}
