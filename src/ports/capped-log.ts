/** Masks bytes that come in pieces: what is not clear yet is held back until it is, or until the end. */
export interface ByteMask {
  /** What is clear by now, perhaps the chunk itself. Its memory may be used again afterwards. */
  push(chunk: Uint8Array): Uint8Array;
  /** What was held back. It begins afresh after that. */
  end(): Uint8Array;
}

/** Receives raw output; see `SessionRequest.log`. */
export type OutputLog = (stream: "stdout" | "stderr", chunk: Uint8Array) => void;

/**
 * Lets `limit` bytes through in all, then one line that says so, then nothing. Says whether more would be let through.
 * Chunks are copied: the receiver may keep them, the source reuses its buffer.
 */
export function cappedLog(log: OutputLog, limit: number): (...given: Parameters<OutputLog>) => boolean {
  let left = limit;
  let closed = false;
  return (stream, chunk) => {
    if (closed) return false;
    if (chunk.length <= left) {
      left -= chunk.length;
      if (chunk.length > 0) log(stream, new Uint8Array(chunk));
      return true;
    }
    closed = true;
    if (left > 0) log(stream, new Uint8Array(chunk.subarray(0, left)));
    const note = `\n[espalier] log limit of ${limit} bytes reached; later output is not kept\n`;
    log(stream, new TextEncoder().encode(note));
    return false;
  };
}
