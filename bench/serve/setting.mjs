/** What every server is asked to do: check this input against this schema, and give it back. */
export const inputSchema = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 1, maxLength: 100 },
    days: { type: "integer", minimum: 1, maximum: 14 },
    units: { enum: ["metric", "imperial"] },
    tags: { type: "array", items: { type: "string" }, maxItems: 10 },
  },
  required: ["city"],
  additionalProperties: false,
};

export const input = { city: "Oslo", days: 3, units: "metric", tags: ["weather", "north"] };

/** What the tool answers; the bare routes answer the same. */
export function forecast({ city, days }) {
  return { city, days, sky: "clear" };
}

/** Sixty tools in four groups, so that the policy has something to decide. */
export const otherTools = Array.from({ length: 60 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Does thing ${index}.`,
  inputSchema: { type: "object", properties: {} },
  metadata: { groups: [`group_${index % 4}`] },
  handler: () => "done",
}));

export const policy = {
  tools: { deny: ["tool_1*"] },
  agents: { anonymous: { tools: { allow: ["forecast", "tool_*"], deny: ["tool_2"] } } },
};
