import { type FormEvent, type ReactElement, useState } from "react";
import { enter } from "./ask.ts";
import { useAccessWords } from "./words.ts";

/** What the device calls itself, as far as its browser tells: enough to know it again in a list. */
function deviceName(): string {
  const found = /iPhone|iPad|Android|Macintosh|Windows|Linux/.exec(navigator.userAgent)?.[0];
  return found ?? "";
}

/** Asks a device that nobody has let in yet for the code. */
export function Login(): ReactElement {
  const words = useAccessWords();
  const [code, setCode] = useState("");
  const [said, setSaid] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter(code, deviceName()).then(
      problem => setSaid(problem ?? ""),
      () => setSaid(words.failed),
    );
  };
  return (
    <form className="login" aria-label={words.enter} onSubmit={submit}>
      <label htmlFor="code">{words.code}</label>
      <input
        id="code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        aria-describedby="code-hint"
        value={code}
        onChange={event => setCode(event.target.value)}
      />
      <button type="submit" className="is-first" disabled={code.trim() === ""}>
        {words.enter}
      </button>
      <small id="code-hint">{words.codeHint}</small>
      <p role="status" className="bad">
        {said}
      </p>
    </form>
  );
}
