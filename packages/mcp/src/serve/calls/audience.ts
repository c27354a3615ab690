import type { ToolDefinition } from "@toolrack/core";
import { isObject, toReceipt } from "@toolrack/core/internal";
import type { CallToolResult } from "../../wire/call-result.ts";
import { audienceCapability } from "../../wire/protocol.ts";
import type { Exchange } from "../exchange.ts";

/**
 * Who a result of this tool is for, where the client divides it itself. Undefined: the registry delivers it, and this client gets what is for the
 * model. The protocol calls audiences hints, and nothing in it says whether a client heeds them: one that does not say so gets no such content.
 */
export function audienceOf(
  tool: ToolDefinition | undefined,
  { capabilities }: Pick<Exchange, "capabilities">,
): "user" | "both" | undefined {
  const deliver = tool?.metadata?.deliver;
  if (deliver !== "user" && deliver !== "both") return undefined;
  const declared = [capabilities["extensions"], capabilities["experimental"]];
  return declared.some((one) => isObject(one) && Object.hasOwn(one, audienceCapability)) ? deliver : undefined;
}

/** The same result, each part with whom it is for. A failure is for the model. */
export function withAudience(result: CallToolResult, deliver: "user" | "both"): CallToolResult {
  if (result.isError === true) return result;
  const audience = deliver === "user" ? ["user"] : ["user", "assistant"];
  const shown = result.content.map((part) => ({ ...part, annotations: { ...(part["annotations"] as object | undefined), audience } }));
  if (deliver === "both") return { ...result, content: shown };
  return { ...result, content: [{ type: "text", text: receipt, annotations: { audience: ["assistant"] } }, ...shown] };
}

const receipt = toReceipt({ meta: { callId: "", tool: "", durationMs: 0 } }, "user").content;
