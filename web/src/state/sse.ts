/** One server-sent event. */
export interface Sent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Splits a stream of text into server-sent events. */
export function createParser(take: (sent: Sent) => void): (chunk: string) => void {
  let rest = "";
  let [id, event, data] = ["", "", ""];
  const line = (text: string) => {
    if (text.startsWith("id: ")) id = text.slice(4);
    else if (text.startsWith("event: ")) event = text.slice(7);
    else if (text.startsWith("data: ")) data += text.slice(6);
    else if (text === "") {
      if (event !== "") take({ id, event, data });
      [id, event, data] = ["", "", ""];
    }
  };
  return chunk => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) line(text);
  };
}
