/** Receives raw output; see `SessionRequest.log`. */
export type OutputLog = (stream: "stdout" | "stderr", chunk: Uint8Array) => void;

/**
 * Lets `limit` bytes through in all, then one line that says so, then nothing.
 * Chunks are copied: the receiver may keep them, the source reuses its buffer.
 */
export function cappedLog(log: OutputLog, limit: number): OutputLog {
  let left = limit;
  let closed = false;
  return (stream, chunk) => {
    if (closed) return;
    if (chunk.length <= left) {
      left -= chunk.length;
      if (chunk.length > 0) log(stream, Buffer.from(chunk));
      return;
    }
    closed = true;
    if (left > 0) log(stream, Buffer.from(chunk.subarray(0, left)));
    log(stream, Buffer.from(`\n[espalier] log limit of ${limit} bytes reached; later output is not kept\n`));
  };
}
