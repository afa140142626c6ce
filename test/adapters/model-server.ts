import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server was asked. */
export interface Asked {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly max_tokens?: number;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format?: { readonly type: string; readonly json_schema?: unknown };
  };
}

/** One scripted answer: a value for the message's content, a status, or a handler of its own. */
export type Answer =
  | { readonly content: string; readonly finish?: string }
  | { readonly status: number; readonly body?: string }
  | { readonly raw: (response: ServerResponse) => void };

/** A chat-completions server on loopback that gives its answers in order, the last one again and again. */
export interface ModelServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly asked: readonly Asked[];
}

async function bodyOf(request: IncomingMessage): Promise<Asked["body"]> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as Asked["body"];
}

/** Starts the server. */
export async function openModelServer(...answers: readonly Answer[]): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then(body => {
      asked.push({ url: request.url ?? "", authorization: request.headers.authorization, body });
      give(answers[Math.min(asked.length, answers.length) - 1]!, response);
    });
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function give(answer: Answer, response: ServerResponse): void {
  if ("raw" in answer) {
    answer.raw(response);
    return;
  }
  const status = "status" in answer ? answer.status : 200;
  response.writeHead(status, { "content-type": "application/json" });
  response.end(
    "content" in answer
      ? completion(answer.content, answer.finish ?? "stop")
      : (answer.body ?? errorBody(status)),
  );
}

function errorBody(status: number): string {
  return JSON.stringify({ error: { message: `scripted ${status}`, type: "error" } });
}

function completion(content: string, finish: string): string {
  return JSON.stringify({
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: finish }],
    usage: {
      prompt_tokens: 120,
      completion_tokens: 30,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 64 },
    },
  });
}
