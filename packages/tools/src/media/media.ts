import type { ToolDefinition } from "@toolrack/core";
import type { SafeFetchOptions } from "@toolrack/fetch";
import { createHttp } from "../operations/http.ts";
import { createFileOperations } from "../operations/node-files.ts";
import { createScratchProcesses } from "../operations/scratch-processes.ts";
import { underPathRules } from "../workspace/path-rules.ts";
import { inWorkspace } from "../workspace/tool.ts";
import { createImage } from "./image.ts";
import type { ImageModel } from "./image-model.ts";
import { createServiceImageModel, type ImageServiceOptions } from "./image-service.ts";
import type { MediaOperations } from "./operations.ts";
import { createTts, type SpeechOptions } from "./tts.ts";

export interface MediaOptions {
  /** The folder that images are read from. @default none: images come by address */
  readonly root?: string;
  /** The folder that `root` must stay in, also when something else takes its place. @default `root` itself, as it was at the beginning */
  readonly within?: string;
  /** Absolute paths of files that are treated as missing. @default none */
  readonly hidden?: readonly string[];
  /** How texts are spoken. @default by espeak-ng */
  readonly speech?: SpeechOptions;
  /** A model that looks at images: a service, or your own. @default none: format and size by their headers, text by tesseract */
  readonly model?: ImageModel | ImageServiceOptions;
  /** Whether espeak-ng and tesseract run without isolation. @default false: where nothing isolates them, they are not run */
  readonly unconfined?: boolean;
  /**
   * Limits of outgoing requests, and hosts that may be reached although their address is not public.
   * @default 30 seconds, 20 MiB, 5 redirects, no such host
   */
  readonly fetch?: SafeFetchOptions;
  /** Every way out, one by one replaceable. */
  readonly operations?: Partial<MediaOperations>;
}

/** image and tts. */
export function createMediaTools(options: MediaOptions = {}): readonly ToolDefinition[] {
  const { root, within, hidden, unconfined, speech } = options;
  const files =
    options.operations?.files ??
    (root === undefined ? undefined : createFileOperations({ root, ...(hidden && { hidden }), ...(within !== undefined && { within }) }));
  const operations: MediaOperations = {
    http: createHttp({ timeoutMs: 30_000, maxBytes: 20_971_520, maxRedirects: 5, ...options.fetch }),
    processes: createScratchProcesses({ ...(unconfined !== undefined && { unconfined }), ...(hidden && { hidden }) }),
    ...options.operations,
  };
  const given = options.model;
  const model = given === undefined || "describe" in given ? given : createServiceImageModel(operations.http, given);
  const image =
    files === undefined
      ? createImage(operations, model)
      : inWorkspace(
          underPathRules((ruled) => createImage({ ...operations, files: ruled }, model), files),
          { root: files.root, files },
        );
  return [image, createTts(operations, speech)];
}
