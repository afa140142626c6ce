/** Lines longer than this are broken: `AgentEvent` promises it. */
export const LINE_LIMIT = 4096;

const NEWLINE = 10;

/** Where lines go; `open` is asked before each one, so that a flood costs nothing once it is closed. */
export interface LineSink {
  open(): boolean;
  line(text: string): void;
  /** Bytes that were not made into lines since the last line. */
  skipped(bytes: number): void;
}

export interface LineSplitter {
  /** Does not keep the chunk. */
  write(chunk: Uint8Array): void;
  /** Delivers what stood after the last newline. */
  end(): void;
}

/**
 * Cuts a stream of bytes into lines of text, with memory for one line at most. UTF-8 split over chunks is put
 * together again, bytes that are no UTF-8 become U+FFFD, `\r\n` and `\n` end a line, a pair of surrogates is never
 * torn. While the sink is closed whole chunks are skipped; it goes on at the next newline.
 */
export function createLineSplitter(sink: LineSink): LineSplitter {
  let decoder = new TextDecoder();
  let rest = "";
  let skipping = false;
  let skippedBytes = 0;

  /** Delivers complete lines of `text` and keeps the rest; says where it stopped when the sink closed. */
  function deliver(text: string): boolean {
    let start = 0;
    for (;;) {
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      while (end - start > LINE_LIMIT) {
        if (!sink.open()) return false;
        const cut = breakAt(text, start);
        sink.line(text.slice(start, cut));
        start = cut;
      }
      if (newline < 0) break;
      if (!sink.open()) return false;
      sink.line(withoutReturn(text, start, end));
      start = newline + 1;
    }
    rest = text.slice(start);
    return true;
  }

  function skip(bytes: number): void {
    skipping = true;
    skippedBytes += bytes;
    rest = "";
    decoder = new TextDecoder();
  }

  function resume(): void {
    skipping = false;
    sink.skipped(skippedBytes);
    skippedBytes = 0;
  }

  return {
    write(chunk) {
      let part = chunk;
      if (skipping) {
        const newline = sink.open() ? chunk.indexOf(NEWLINE) : -1;
        skippedBytes += newline < 0 ? chunk.length : newline + 1;
        if (newline < 0) return;
        part = chunk.subarray(newline + 1);
        resume();
      }
      // What was delivered of this chunk before the sink closed counts as skipped too: the number is for people.
      if (!deliver(rest + decoder.decode(part, { stream: true }))) skip(part.length);
    },
    end() {
      const last = rest + decoder.decode();
      if (skipping) resume();
      else if (!deliver(last)) sink.skipped(last.length);
      else if (rest !== "") sink.line(withoutReturn(rest, 0, rest.length));
      rest = "";
    },
  };
}

function breakAt(text: string, start: number): number {
  const cut = start + LINE_LIMIT;
  const last = text.charCodeAt(cut - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut - 1 : cut;
}

function withoutReturn(text: string, start: number, end: number): string {
  return text.slice(start, end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end);
}
