import type { HttpOperations } from "../operations/http.ts";
import type { Page, ReadPageRequest } from "./read-page.ts";

/** What the tools of the web do outside of themselves. */
export interface WebOperations {
  readonly http: HttpOperations;
  /** Makes a text of a page. */
  readPage(request: ReadPageRequest): Promise<Page>;
}
