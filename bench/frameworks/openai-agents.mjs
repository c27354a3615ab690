import { Agent, Runner, Usage } from "@openai/agents-core";

export async function converse({ core, tools, call, calls, signal }) {
  const requests = [];
  const model = {
    async getResponse(request) {
      requests.push(request);
      return { usage: new Usage(), output: requests.length === 1 ? calls.map(toCall) : [done] };
    },
  };
  const agent = new Agent({ name: "clerk", instructions: "Help.", model, tools: core.toOpenAIAgents(tools, { call }) });
  await new Runner({ tracingDisabled: true }).run(agent, "Go.", { signal });
  const results = requests.at(-1).input.filter(({ type }) => type === "function_call_result");
  return {
    shown: requests[0].tools.map(({ name, description, parameters }) => ({ name, description, schema: parameters })),
    answers: results.map(({ callId, output }) => ({ id: callId, text: output.text })),
  };
}

const toCall = ({ id, name, input }) => ({
  type: "function_call",
  callId: id,
  name,
  arguments: JSON.stringify(input),
  status: "completed",
});

const done = { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "Done." }] };
