import { z } from "zod";

/** The nested schema as users of the peers write it. */
export function nestedZod() {
  const address = () =>
    z
      .object({
        street: z.string().min(1).max(200),
        city: z.string(),
        country: z.enum(["DE", "FR", "US"]).optional(),
        zip: z
          .string()
          .regex(/^[0-9]{5}$/)
          .optional(),
        position: z.object({ lat: z.number().min(-90).max(90), lon: z.number() }).optional(),
      })
      .describe("Where it goes.");
  return z.object({
    id: z.string().uuid().describe("The order."),
    priority: z.number().int().min(1).max(5).default(3),
    express: z.boolean().optional(),
    note: z.string().nullable().optional().describe("A note for the driver."),
    shipping: address().optional(),
    billing: address().optional(),
    items: z
      .array(
        z.object({
          sku: z.string(),
          count: z.number().int().min(1),
          price: z.number().min(0).optional(),
          tags: z.array(z.string()).optional(),
          gift: z.boolean().optional(),
        }),
      )
      .min(1),
    contact: z.object({ name: z.string(), email: z.string().email().optional(), phone: z.string().optional() }).optional(),
  });
}
