import { describe, expect, it } from "vitest";
import { hubAddress } from "../../src/adapters/fleet/hub-client.ts";

describe("the address of a hub", () => {
  it.each([
    ["https://hub.example.com:4748", { url: "https://hub.example.com:4748", pool: undefined }],
    ["https://hub.example.com/big/", { url: "https://hub.example.com", pool: "big" }],
    ["http://127.0.0.1:4748/a", { url: "http://127.0.0.1:4748", pool: "a" }],
    ["http://[::1]:4748", { url: "http://[::1]:4748", pool: undefined }],
  ])("[HB10] is %s", (text, read) => {
    expect(hubAddress(text)).toEqual(read);
  });

  it.each([
    ["http://hub.example.com", "plain HTTP"],
    ["http://127.0.0.1.example.com", "plain HTTP"],
    ["hub:4748", "is not spoken"],
    ["", "cannot be read"],
    ["https://me:secret@hub", "name or password"],
    ["https://hub/a/b", "more than a pool"],
    ["ftp://hub", "is not spoken"],
  ])("[HB10] is not %j", (text, said) => {
    expect(() => hubAddress(text)).toThrow(said);
  });
});
