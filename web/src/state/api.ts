import type { ActReply, ActRequest } from "../../../src/server/shapes/action.ts";
import type { PublishReply, PublishRequest } from "../../../src/server/shapes/publish.ts";
import { chosenLocale } from "./locale.ts";
import { takeToken } from "./token.ts";

let token = takeToken();

/** Takes a token from the fragment again, when the person opened a newer link in this tab. */
export function renewToken(): void {
  token = takeToken();
}

/** Whether this tab was ever handed a token. */
export function hasToken(): boolean {
  return token !== "";
}

/** Why the server did not answer as wished. */
export class ApiError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Why a request failed: as the server says it, else what is said where nobody answered. */
export function failureText(error: unknown, silent: string): string {
  return error instanceof ApiError ? error.message : silent;
}

/** What a request may say beside its address. */
interface Asking extends Omit<RequestInit, "headers"> {
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request to our own server, with the token and the language that was chosen; nothing else is ever asked. */
export function ask(path: string, init: Asking = {}): Promise<Response> {
  const locale = chosenLocale();
  const spoken = locale === "" ? {} : { "espalier-locale": locale };
  return fetch(path, {
    ...init,
    headers: { ...init.headers, ...spoken, authorization: `Bearer ${token}` },
  });
}

async function answer<T>(response: Response): Promise<T> {
  const json = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new ApiError(response.status, json.error ?? response.statusText);
  return json;
}

/** Reads one thing of the API. */
export async function read<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = entries.length === 0 ? "" : `?${new URLSearchParams(entries).toString()}`;
  return answer<T>(await ask(`/api/${path}${search}`));
}

async function post<T>(path: string, request: unknown): Promise<T> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  };
  return answer<T>(await ask(path, init));
}

/** Hands in what a person decided. */
export function act(request: ActRequest): Promise<ActReply> {
  return post("/api/act", request);
}

/** Publishes a version of a document. */
export function publish(request: PublishRequest): Promise<PublishReply> {
  return post("/api/publish", request);
}
