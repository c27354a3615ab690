import { createHash } from "node:crypto";
import { ToolError, type ToolSource } from "@toolrack/core";
import type { Clock } from "@toolrack/core/node";
import type { OpenApiRead, OpenApiSourceOptions } from "./openapi-source.ts";

/** A source over a document, and what was found in it. */
export interface OpenApiSource {
  readonly source: ToolSource;
  problems(): readonly string[];
  /** Whether models find its tools by search instead of by list. */
  isSearched(): boolean;
}

/** More tools than this are found by search, unless the configuration says otherwise. */
export const listedUpTo = 100;

export interface CreateOpenApiOptions extends Omit<OpenApiSourceOptions, "onRead"> {
  /** Called when the document was read. */
  onRead(): Promise<void>;
  readonly clock: Pick<Clock, "after">;
}

/** Everything that reads documents is loaded with the first read. */
export function createOpenApiSource(registryId: string, options: CreateOpenApiOptions): OpenApiSource {
  const { id, config } = options;
  let last: OpenApiRead = { tools: 0, problems: [] };
  let opening: Promise<Opened> | undefined;
  let isClosed = false;
  const open = (): Promise<Opened> =>
    (opening ??= import("./openapi-source.ts").then(({ openApiTools }) =>
      openApiTools({
        ...options,
        onRead(read) {
          last = read;
          return options.onRead();
        },
      }),
    ));
  const { refreshMinutes } = config;
  const source: ToolSource = {
    id: registryId,
    identity: identityOfDocument(options),
    async list(listing) {
      if (isClosed) throw new ToolError("SOURCE_FAILED", `The source "${id}" is closed.`);
      return (await open()).list(listing);
    },
    ...(refreshMinutes !== undefined && { watch: (onChange: () => void) => every(refreshMinutes * 60_000, onChange, options.clock) }),
    async close() {
      isClosed = true;
      await (await opening)?.close();
    },
  };
  return { source, problems: () => last.problems, isSearched: () => config.search ?? last.tools > listedUpTo };
}

type Opened = Awaited<ReturnType<(typeof import("./openapi-source.ts"))["openApiTools"]>>;

/** Until the returned function is called. It keeps no process alive. */
function every(delayMs: number, action: () => void, { after }: Pick<Clock, "after">): () => void {
  let cancel: ReturnType<Clock["after"]>;
  const set = (): void => {
    cancel = after(delayMs, () => {
      set();
      action();
    });
    cancel.release?.();
  };
  set();
  return () => cancel();
}

/**
 * Another place of the document, or another address of the API, is another source behind the same name. Another text at the same place is
 * not: it changes definitions.
 */
export function identityOfDocument({ config: { url, file, baseUrl } }: Pick<OpenApiSourceOptions, "config">): string {
  const text = JSON.stringify(["openapi", url ?? file ?? "stored", baseUrl ?? null]);
  return createHash("sha256").update(text).digest("hex");
}
