import { StringDecoder } from "node:string_decoder";

/** Hands on what is typed, without Enter and unseen, until the returned function is called. Idempotent. */
export function openKeyboard(stdin: NodeJS.ReadStream, onInput: (bytes: string) => void): () => void {
  // A letter may come in two pieces.
  const decoder = new StringDecoder("utf8");
  const input = (bytes: Buffer) => onInput(decoder.write(bytes));
  let isOpen = true;
  stdin.setRawMode(true);
  stdin.on("data", input);
  stdin.resume();
  return () => {
    if (!isOpen) return;
    isOpen = false;
    stdin.off("data", input);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
