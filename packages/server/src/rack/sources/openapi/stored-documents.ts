import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { ToolError } from "@toolrack/core";
import type { Records } from "../../store/records.ts";

/** OpenAPI documents that were added as text, kept in the store by their hash. */
export interface StoredDocuments {
  /** Undefined if there is none of this id. */
  read(id: string): Promise<string | undefined>;
  /** Answers its id. The same text has the same id. */
  write(text: string): Promise<string>;
  remove(id: string): Promise<void>;
}

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** A record holds a megabyte; a document of several fits, since it is compressed. */
const maxPackedBytes = 1_000_000;
const maxTextBytes = 33_554_432;

export function createStoredDocuments(records: Records): StoredDocuments {
  return {
    async read(id) {
      const packed = (records.get(id) ?? (await records.fetch(id)))?.context["gzip"];
      if (typeof packed !== "string") return undefined;
      // Whoever can write records can write what is no archive, or one that never ends.
      const text = await unpack(Buffer.from(packed, "base64"), { maxOutputLength: maxTextBytes }).then(String, () => undefined);
      if (text !== undefined && idOf(text) === id) return text;
      throw new ToolError("CONFIG_INVALID", `The stored document ${id} was changed. Add the source again.`);
    },
    async write(text) {
      const packed = (await pack(text)).toString("base64");
      if (packed.length > maxPackedBytes)
        throw new ToolError(
          "CONFIG_INVALID",
          `The document is too large to be kept in the store: ${packed.length} bytes when compressed, of at most ${maxPackedBytes}. Give its url, or put it into the project as a file.`,
        );
      const id = idOf(text);
      if (records.get(id) === undefined) await records.write({ id, title: "OpenAPI document", context: { gzip: packed } });
      return id;
    },
    remove: async (id) => void (await records.remove(id)),
  };
}

function idOf(text: string): string {
  return `openapi-document-${createHash("sha256").update(text).digest("hex")}`;
}
