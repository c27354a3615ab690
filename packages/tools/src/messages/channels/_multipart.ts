import { randomBytes } from "node:crypto";
import type { Attachment } from "./channel.ts";

/** A field of a form: text, or a file. */
export type FormField = readonly [name: string, value: string | Attachment];

/** A form as a request body, with its content type. Names of files are quoted, so that none of them adds a header or a field. */
export function toMultipart(fields: readonly FormField[]): { readonly body: Uint8Array; readonly contentType: string } {
  const boundary = `toolrack-${randomBytes(16).toString("hex")}`;
  const parts = fields.flatMap(([name, value]) => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"`;
    if (typeof value === "string") return [Buffer.from(`${head}\r\n\r\n${value}\r\n`)];
    const file = `${head}; filename="${quoted(value.name)}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
    return [Buffer.from(file), value.bytes, Buffer.from("\r\n")];
  });
  return { body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]), contentType: `multipart/form-data; boundary=${boundary}` };
}

function quoted(text: string): string {
  return text.replace(/["\r\n]/g, (one) => encodeURIComponent(one));
}
