import { randomUUID } from "node:crypto";
import type { MultipartBody } from "../request/request.ts";

/** A body in parts as bytes, with a boundary that no part can contain but by chance. */
export function encodeMultipart(
  { parts }: MultipartBody,
  contentType: string,
): { readonly body: Uint8Array; readonly contentType: string } {
  const boundary = `toolrack-${randomUUID()}`;
  const chunks: Uint8Array[] = [];
  for (const { name, value, filename, contentType: type } of parts) {
    const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
    const media = type === undefined ? "" : `\r\nContent-Type: ${type.replaceAll(/[\r\n]/g, " ")}`;
    chunks.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}${media}\r\n\r\n`));
    chunks.push(typeof value === "string" ? Buffer.from(value) : value, Buffer.from("\r\n"));
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { body: new Uint8Array(Buffer.concat(chunks)), contentType: `${contentType.split(";")[0]!.trim()}; boundary=${boundary}` };
}

/** As browsers write names: quotes and line breaks are percent-encoded. */
function quoted(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
