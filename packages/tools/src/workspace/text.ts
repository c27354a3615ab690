import { ToolInputError } from "@toolrack/core";

/** A text file as it was found: its text without byte order mark, and how to write it again. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
}

export type TextEncoding = (typeof textEncodings)[number];

export const textEncodings = ["utf-8", "utf-8-bom", "utf-16le", "utf-16be", "latin1"] as const;

/** Undefined for binary data. Contract: `encodeText` returns the same bytes. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = marks.find(({ start }) => buffer.subarray(0, start.length).equals(start));
  if (mark !== undefined && mark.encoding !== "utf-8-bom") return decodeWide(buffer.subarray(2), mark.encoding);
  const body = mark === undefined ? buffer : buffer.subarray(mark.start.length);
  if (body.includes(0)) return undefined;
  try {
    return { text: strictUtf8.decode(body), encoding: mark === undefined ? "utf-8" : "utf-8-bom" };
  } catch {
    return mark === undefined ? { text: body.toString("latin1"), encoding: "latin1" } : undefined;
  }
}

/** Throws where the encoding has no way to write a character. */
export function encodeText({ text, encoding }: DecodedText): Uint8Array {
  if (encoding === "latin1") return encodeLatin1(text);
  const { start } = marks.find((mark) => mark.encoding === encoding) ?? { start: Buffer.alloc(0) };
  const body = Buffer.from(text, encoding.startsWith("utf-16") ? "utf16le" : "utf8");
  return Buffer.concat([start, encoding === "utf-16be" ? body.swap16() : body]);
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const marks: readonly { readonly encoding: TextEncoding; readonly start: Buffer }[] = [
  { encoding: "utf-8-bom", start: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: "utf-16le", start: Buffer.from([0xff, 0xfe]) },
  { encoding: "utf-16be", start: Buffer.from([0xfe, 0xff]) },
];

function decodeWide(body: Buffer, encoding: TextEncoding): DecodedText | undefined {
  if (body.length % 2 !== 0) return undefined;
  const little = encoding === "utf-16be" ? Buffer.from(body).swap16() : body;
  return { text: little.toString("utf16le"), encoding };
}

function encodeLatin1(text: string): Uint8Array {
  const foreign = /[^\0-\xff]/u.exec(text)?.[0];
  if (foreign === undefined) return Buffer.from(text, "latin1");
  throw new ToolInputError(
    `The file is in latin1, which has no ${JSON.stringify(foreign)}. Leave it out, or write the whole file with encoding "utf-8".`,
  );
}
