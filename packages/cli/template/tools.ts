import { defineTool } from "@toolrack/core";

/** The shortest tool: a name, a description for the model, a schema of its input, and a handler. */
const greet = defineTool({
  name: "greet",
  description: "Greets a person by name.",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string", minLength: 1, description: "Whom to greet." } },
    required: ["name"],
    additionalProperties: false,
  },
  metadata: { examples: [{ description: "a person", input: { name: "Ada" }, output: "Hello, Ada." }] },
  handler: ({ name }) => `Hello, ${name}.`, // name is a string, from the schema
});

/** Its input is validated before the handler runs: a model that asks for twenty guests reads what is wrong, and can correct itself. */
const bookTable = defineTool({
  name: "book_table",
  description: "Books a table at the restaurant.",
  inputSchema: {
    type: "object",
    properties: {
      date: { type: "string", format: "date", description: "The day, such as 2030-05-17." },
      guests: { type: "integer", minimum: 1, maximum: 8, description: "How many people come." },
      area: { type: "string", enum: ["inside", "terrace"], default: "inside", description: "Where they sit." },
    },
    required: ["date", "guests"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { booked: { type: "string" } }, required: ["booked"] },
  metadata: {
    examples: [
      {
        description: "two people, inside",
        input: { date: "2030-05-17", guests: 2 },
        output: { booked: "2030-05-17, a table for 2, inside" },
      },
    ],
  },
  handler: ({ date, guests, area }) => ({ booked: `${date}, a table for ${guests}, ${area}` }),
});

export default [greet, bookTable];
