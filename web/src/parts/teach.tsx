import type { ReactElement } from "react";

/** What an empty view says: what will stand there, and how to get it. */
export interface Lesson {
  readonly title: string;
  readonly text: string;
  /** What to type or to write, and what comes of it. */
  readonly how: readonly (readonly [string, string])[];
}

/** An empty view that teaches. */
export function Teach({ lesson: { title, text, how } }: { readonly lesson: Lesson }): ReactElement {
  return (
    <section className="teach">
      <h2>{title}</h2>
      <p>{text}</p>
      <dl>
        {how.map(([what, why]) => (
          <div key={what}>
            <dt>
              <code>{what}</code>
            </dt>
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
