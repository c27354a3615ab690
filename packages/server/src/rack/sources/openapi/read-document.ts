import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolrack/core";
import { FetchError, type SafeFetch } from "@toolrack/fetch";
import { type OpenApiSourceConfig, projectFilesOf } from "../../../config/openapi-source.ts";

/** A document, its overlays and the documents that it refers to, as texts. */
export interface DocumentText {
  readonly text: string;
  readonly overlays: readonly string[];
  /** By the name or URL in the reference. */
  readonly documents: Readonly<Record<string, string>>;
  /** Equal for equal texts. */
  readonly hash: string;
}

export interface ReadDocumentOptions {
  /** Relative paths start here. */
  readonly folder: string;
  /** Asks the public internet, and the hosts that the source names. */
  readonly fetch: SafeFetch;
  /** The text of a document that is kept in the store. */
  stored(id: string): Promise<string | undefined>;
  readonly signal: AbortSignal;
  /** "sources.pets.openapi": begins messages. */
  readonly place: string;
}

/** The largest document. */
export const maxDocumentBytes = 33_554_432;

/** Reads the document of a source, from its URL or its file. Where the file may lie was checked before. */
export async function readDocument(config: OpenApiSourceConfig, options: ReadDocumentOptions): Promise<DocumentText> {
  const { file, url, document } = config;
  const text =
    document !== undefined
      ? await readStored(document, options)
      : url === undefined
        ? await readProjectFile(file!, `${options.place}.file`, options)
        : await readUrl(url, options);
  const overlays: string[] = [];
  const documents: [string, string][] = [];
  const hash = createHash("sha256").update(text);
  for (const { at, name } of projectFilesOf(config)) {
    if (at[0] === "file") continue;
    const found = await readProjectFile(name, [options.place, ...at].join("."), options);
    hash.update(`\0${at.join("\0")}\0`).update(found);
    if (at[0] === "overlays") overlays.push(found);
    else documents.push([at[1]!, found]);
  }
  return { text, overlays, documents: Object.fromEntries(documents), hash: hash.digest("hex") };
}

async function readStored(id: string, { stored, place }: ReadDocumentOptions): Promise<string> {
  const text = await stored(id);
  if (text !== undefined) return text;
  throw new ToolError(
    "CONFIG_INVALID",
    `${place}.document: the store has no document ${JSON.stringify(id.slice(0, 100))}. Add the source again.`,
  );
}

async function readUrl(url: string, { fetch, signal, place }: ReadDocumentOptions): Promise<string> {
  const answer = await fetch(url, { signal, maxBytes: maxDocumentBytes, headers: { accept: accepted } }).catch((error: unknown) => {
    if (!FetchError.is(error) || signal.aborted) throw error;
    throw new ToolError("SOURCE_FAILED", `${place}.url: ${error.message}`, { cause: error });
  });
  if (answer.ok) return answer.text();
  throw new ToolError(
    "SOURCE_FAILED",
    `${place}.url: the server answered ${answer.status} instead of the document. Open the URL in a browser, and correct it.`,
  );
}

const accepted = "application/vnd.oai.openapi+json, application/json, application/yaml, text/yaml, */*;q=0.5";

async function readProjectFile(name: string, key: string, { folder }: ReadDocumentOptions): Promise<string> {
  const shown = JSON.stringify(name.slice(0, 200));
  const handle = await open(path.resolve(folder, name), openOnly).catch((error: NodeJS.ErrnoException) => {
    throw new ToolError("CONFIG_INVALID", `${key}: ${shown} cannot be read (${error.code ?? "unknown reason"}). Correct the path.`);
  });
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new ToolError("CONFIG_INVALID", `${key}: ${shown} is not a file. Name the file of the document.`);
    if (found.size > maxDocumentBytes)
      throw new ToolError("CONFIG_INVALID", `${key}: ${shown} is larger than ${maxDocumentBytes} bytes. Remove what is not needed.`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** Non-blocking: opening a pipe would wait until somebody writes into it. Windows has no such flag. */
const openOnly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
