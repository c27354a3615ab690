import type { ToolSuccess } from "./result.ts";

/** The data of a result, if neither its text nor a block shows it: the details beside an image. Undefined if there is none. */
export function unshownData({ content, blocks, data }: Pick<ToolSuccess, "content" | "blocks" | "data">): unknown {
  if (data === undefined) return undefined;
  const json = JSON.stringify(data);
  const isShown = (text: string): boolean => text === data || text === json || isSameJson(text, json);
  if (blocks === undefined) return isShown(content) ? undefined : data;
  const isInBlock = blocks.some(
    (block) => (block.type === "json" && JSON.stringify(block.data) === json) || (block.type === "text" && isShown(block.text)),
  );
  return isInBlock ? undefined : data;
}

/** Whether a text is the same JSON, with other white space. */
function isSameJson(text: string, json: string): boolean {
  if (text.length <= json.length || text.trimStart()[0] !== json[0]) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === json;
  } catch {
    return false;
  }
}
