import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** Made by the SDK itself. */
export interface SendOptions {
  readonly delay?: unknown;
}

/** As much of the context of a keyed handler as the hub's own use. */
export interface ObjectContext {
  readonly key: string;
  get<T>(name: string): Promise<T | null>;
  set(name: string, value: unknown): void;
  clear(name: string): void;
  objectClient(
    object: { readonly name: string },
    key: string,
  ): Readonly<Record<string, (given: unknown) => Promise<unknown>>>;
  objectSendClient(
    object: { readonly name: string },
    key: string,
  ): Readonly<Record<string, (given: unknown, options?: SendOptions) => unknown>>;
}

/** As much of `@restatedev/restate-sdk` as the hub uses: it is the user's own copy, and no dependency of ours. */
export interface RestateSdk {
  object(definition: object): unknown;
  readonly handlers: {
    readonly object: {
      shared<T>(handler: (ctx: ObjectContext) => Promise<T>): unknown;
    };
  };
  readonly rpc: {
    sendOpts(options: { readonly delay: number }): SendOptions;
  };
  createEndpointHandler(options: {
    readonly services: readonly unknown[];
    readonly logger: () => void;
  }): (request: Http2ServerRequest, response: Http2ServerResponse) => void;
}
