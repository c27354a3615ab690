/** Hidden text in definitions and results. */

export { hiddenTextOf } from "../tool/tool.ts";
export { cleanResultText, cleanText, hiddenIn } from "../util/hidden-text.ts";
