import type { Model } from "@toolrack/agent";
import { ToolError } from "@toolrack/core";
import type { LogitModel } from "@toolrack/tools";

/** The model of an agent that this server runs, for answers in a given shape. It is opened with the first of them. */
export function createAgentLogitModel(agent: string, modelOf: (agent: string) => Promise<Model>): LogitModel {
  return {
    name: agent,
    async complete({ instructions, prompt, maxTokens }, { signal }) {
      const model = await modelOf(agent);
      const from = { kind: "agent", id: "logit" } as const;
      const messages = [{ role: "user", content: prompt, from }] as const;
      for await (const event of model.stream({
        instructions,
        messages,
        signal,
        ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      })) {
        if (event.type !== "end") continue;
        if (event.failure === undefined) return event.message.content;
        const { message, retryable, retryAfterMs } = event.failure;
        throw new ToolError("TOOL_FAILED", message, { retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) });
      }
      return "";
    },
  };
}
