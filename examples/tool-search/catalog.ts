import { defineTool, type ToolDefinition } from "@toolrack/core";

const actions = {
  create: "Creates a new",
  list: "Lists every",
  update: "Changes an existing",
  delete: "Removes an old",
  export: "Writes to a file each",
} as const;
const areas = ["billing", "support", "hr", "warehouse", "marketing", "legal", "travel", "security", "research", "facilities"];
const things = (
  "invoice ticket contract employee shipment campaign meeting report supplier order refund asset permit survey budget license vehicle " +
  "badge lease audit webinar coupon claim payslip pallet room visa alarm sample printer deadline complaint bonus forklift banner clause " +
  "itinerary firewall dataset elevator"
).split(" ");

/** Two thousand tools: each action on each thing in each area. Each call is reported to `onCall`. */
export function officeTools(onCall: (name: string, input: unknown) => void): ToolDefinition[] {
  return areas.flatMap((area) =>
    things.flatMap((thing) =>
      Object.entries(actions).map(([action, sentence]) => {
        const name = `${area}_${action}_${thing}`;
        return defineTool({
          name,
          description: `${sentence} ${thing} of the ${area} department.`,
          inputSchema: {
            type: "object",
            properties: { [`${thing}_id`]: { type: "string", description: `Which ${thing}.` }, note: { type: "string" } },
            required: [`${thing}_id`],
          },
          handler(input) {
            onCall(name, input);
            return { done: name };
          },
        });
      }),
    ),
  );
}
