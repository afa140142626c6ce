import type { ReactElement } from "react";
import type { Receipt, ReceiptPart } from "../../../src/server/shapes/task.ts";
import { tokens } from "../parts/amounts.ts";
import { useWords } from "../words/use-words.ts";
import type { Words } from "../words/words.ts";

function about(part: ReceiptPart, { pages }: Words): string {
  const kind = pages.partKind[part.kind] ?? part.kind;
  const level =
    part.kind === "heading" || part.kind === "role" || part.kind === "task"
      ? ""
      : pages.partLevel[part.level];
  return [kind, part.node, level, part.bound].filter(Boolean).join(" · ");
}

/** The name of a part: a label or an id as it is, and what we call ourselves in words. */
function nameOf({ kind, source }: ReceiptPart, { pages }: Words): string {
  return kind === "heading" || kind === "role" ? (pages.partName[source] ?? source) : source;
}

/** What an attempt was given to read: bars by source and level, and what was left out and why. */
export function ReceiptView({ receipt }: { readonly receipt: Receipt }): ReactElement {
  const words = useWords();
  const used = receipt.parts.filter(part => part.in);
  const left = receipt.parts.filter(part => !part.in);
  const most = Math.max(1, ...used.map(part => part.tokens));
  return (
    <details className="receipt">
      <summary>
        {words.receipt} <em>{words.ofBudget(tokens(receipt.tokens), tokens(receipt.limit))}</em>
      </summary>
      <p className="quiet">{words.receiptWhy}</p>
      {receipt.prefix > 0 && <p className="quiet">{words.prefix(tokens(receipt.prefix))}</p>}
      <ul className="bars">
        {used.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name of their own and never move
          <li key={at}>
            <span title={nameOf(part, words)}>{nameOf(part, words)}</span>
            <i
              className={`level-${part.level}`}
              style={{ width: `${(part.tokens / most) * 100}%` }}
              title={words.pages.partWhy[part.why] ?? part.why}
            />
            <em>{tokens(part.tokens)}</em>
            <small>{about(part, words)}</small>
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <>
          <h4>{words.leftOut}</h4>
          <ul className="left">
            {left.map((part, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name of their own and never move
              <li key={at}>
                <span>{part.source}</span>{" "}
                <small>
                  {about(part, words)}: {words.pages.partWhy[part.why] ?? part.why}
                </small>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}
