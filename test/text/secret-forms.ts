/** How programs write a secret, made by the encoders of this platform and of others: what redaction is measured against. */
export function secretForms(secret: string): ReadonlyMap<string, Uint8Array> {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const pairs = hex.match(/../g) ?? [];
  const json = JSON.stringify(secret).slice(1, -1);
  const units = Array.from({ length: secret.length }, (_, at) =>
    secret.charCodeAt(at).toString(16).padStart(4, "0"),
  );
  const html = secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
  const inside = (before: number, after: number) =>
    Buffer.concat([Buffer.alloc(before, "a"), bytes, Buffer.alloc(after, "z")]);
  const texts: Record<string, string> = {
    plain: secret,
    "decomposed (NFD)": secret.normalize("NFD"),
    json,
    "json in json": JSON.stringify(json).slice(1, -1),
    "json with escaped slashes": json.replaceAll("/", "\\/"),
    "json, ASCII only": Array.from(json, char =>
      char.length === 1 && char.charCodeAt(0) < 127
        ? char
        : Array.from(
            { length: char.length },
            (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`,
          ).join(""),
    ).join(""),
    "json, every character escaped": units.map(unit => `\\u${unit}`).join(""),
    "URL component": encodeURIComponent(secret),
    "URL component, small letters": encodeURIComponent(secret).replace(/%../g, code => code.toLowerCase()),
    URL: encodeURI(secret),
    "URL form": new URLSearchParams({ a: secret }).toString().slice(2),
    "URL, every byte": pairs.map(pair => `%${pair}`).join(""),
    html,
    "html, every character": Array.from(secret, char => `&#x${char.codePointAt(0)!.toString(16)};`).join(""),
    "html, decimal": Array.from(secret, char => `&#${char.codePointAt(0)};`).join(""),
    hex,
    "hex, capitals": hex.toUpperCase(),
    "hex with colons": pairs.join(":"),
    "hex with hyphens": pairs.join("-"),
    "hex as Node shows buffers": `<Buffer ${pairs.join(" ")}>`,
    "hex in pairs of bytes": hex.match(/..(?:..)?/g)!.join(" "),
    "hex numbers": pairs.map(pair => `0x${pair}`).join(", "),
    "hex in lines": pairs.join(" ").replaceAll(/.{30}/g, line => `${line}\n    `),
    numbers: JSON.stringify([...bytes]),
    "numbers, spaced": `[ ${[...bytes].join(", ")} ]`,
    "numbers in lines": `[\n${[...bytes].map(byte => String(byte).padStart(5)).join(",\n")}\n]`,
    "octal escapes": pairs
      .map(pair => `\\${Number.parseInt(pair, 16).toString(8).padStart(3, "0")}`)
      .join(""),
    "octal, other than ASCII": Array.from(bytes, byte =>
      byte < 128 && byte !== 0x5c ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`,
    ).join(""),
    "long escapes": Array.from(
      secret,
      char => `\\U${char.codePointAt(0)!.toString(16).padStart(8, "0")}`,
    ).join(""),
    "escapes in braces": Array.from(secret, char => `\\u{${char.codePointAt(0)!.toString(16)}}`).join(""),
    "json in json in json": JSON.stringify(JSON.stringify(json).slice(1, -1)).slice(1, -1),
    "URL component, twice": encodeURIComponent(encodeURIComponent(secret)),
    "URL component, three times": encodeURIComponent(encodeURIComponent(encodeURIComponent(secret))),
    "json in a URL": encodeURIComponent(json),
    "URL in json": JSON.stringify(encodeURI(secret)).slice(1, -1),
    "json in html": json.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;"),
    "html in html": html.replaceAll("&", "&amp;"),
    "single quotes doubled": secret.replaceAll("'", "''"),
    "double quotes doubled": secret.replaceAll('"', '""'),
    "composed (NFC)": secret.normalize("NFC"),
    "quoted-printable": quotedPrintable(bytes),
    "quoted-printable in lines": quotedPrintable(bytes).replaceAll(
      /(?:=..|[^=]){9}/g,
      line => `${line}=\r\n`,
    ),
    "wrapped, indented": secret.replaceAll(/[^\n]{5}(?=\S)/gu, line => `${line}\r\n    `),
    "json, wrapped": json.replaceAll(/\w{4}(?=\w)/g, line => `${line}\\n`),
    "colored in the middle": `${secret.slice(0, 4)}\u001b[1;31m${secret.slice(4)}`,
    "hex escapes": pairs.map(pair => `\\x${pair}`).join(""),
    "shell, single quotes": `'${secret.replaceAll("'", "'\\''")}'`,
    "shell, backslashes": secret.replace(/[^\w\n]/gu, "\\$&"),
    base64: bytes.toString("base64"),
    "base64 for URLs": bytes.toString("base64url"),
    "base64 of a user and it": Buffer.from(`user:${secret}`).toString("base64"),
    ...Object.fromEntries(
      [0, 1, 2].flatMap(before =>
        [0, 1, 2].map(after => [
          `base64 within (${before}, ${after})`,
          inside(before, after).toString("base64"),
        ]),
      ),
    ),
  };
  const forms = new Map<string, Uint8Array>(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]),
  );
  forms.set("UTF-16LE", Buffer.from(secret, "utf16le"));
  forms.set("UTF-16BE", Buffer.from(secret, "utf16le").swap16());
  if (/[\u0080-\u00ff]/.test(secret) && !/[^\0-\u00ff]/.test(secret))
    forms.set("latin-1", Buffer.from(secret, "latin1"));
  return forms;
}

function quotedPrintable(bytes: Uint8Array): string {
  return Array.from(bytes, byte =>
    (byte >= 0x20 && byte < 0x7f && byte !== 0x3d) || byte === 0x0a
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}

/** What of a form tells the secret: of base64 all but the bits it shares with its neighbours. */
export function tellingPart(name: string, form: Uint8Array, secret: string): Uint8Array {
  if (!name.startsWith("base64 ")) return form;
  const text = Buffer.from(form).toString();
  const before = name.startsWith("base64 of") ? 5 : Number(/\((\d)/.exec(name)?.[1] ?? 0);
  const from = Math.ceil((before * 8) / 6);
  return Buffer.from(text.slice(from, Math.floor(((before + Buffer.byteLength(secret)) * 8) / 6)));
}

/** A secret with everything that encodings treat differently. */
export const HARD = `pä"ss\\w0rd'&<한글🔑> $x/+%y=`;
/** One that Latin-1 can write. */
export const NARROW = "clé-d'accès-très-secrète";
export const PLAIN = "hunter2-hunter2-hunter2";
export const LINES = `first line of it\nSecond0Line1Of2It3With4Digits\nthe third`;
export const SECRETS: readonly string[] = [HARD, NARROW, PLAIN, LINES];
