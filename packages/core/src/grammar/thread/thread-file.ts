/** What the grammar thread runs: an entry of the same bundle, under the ending of its files. Tests put a bundle of the sources here. */
export function threadFile(): URL {
  return new URL(`./grammar-thread.${import.meta.url.endsWith(".cjs") ? "cjs" : "js"}`, import.meta.url);
}
