import type { FileOperations } from "../operations/files.ts";
import type { HttpOperations } from "../operations/http.ts";
import type { ProcessOperations } from "../operations/processes.ts";

/** What the tools for speech and images do outside of themselves. */
export interface MediaOperations {
  readonly http: HttpOperations;
  /** Programs that read their input and write their output: espeak-ng, tesseract. */
  readonly processes: ProcessOperations;
  /** The workspace; absent where images come by address alone. */
  readonly files?: FileOperations;
}
