/** Bytes of an answer that are read; a summary is a few thousand. */
const MOST_BYTES = 4 * 1024 * 1024;

/** `fetch` that gives up on an endless answer, and asks nobody but whom it was told to. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: "manual" });
  if (response.body === null) return response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES) controller.error(new Error(`the answer is longer than ${MOST_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(bound), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
};
