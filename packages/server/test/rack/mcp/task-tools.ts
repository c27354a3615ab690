import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyTool, type CallContext, defineTool } from "@toolrack/core";
import { mcpClient } from "@toolrack/mcp";
import { until } from "@toolrack/testkit/until";

/** "hold": a handler does its work and never returns; "stop": its process stops after the work, and the handler returns later; "go": it returns. */
export type How = "hold" | "stop" | "go";

/** Two tools that leave a line in a file: one that may be called again, and one that may not. */
export function taskTools(folder: string, how: How, say: (line: unknown) => void = () => undefined): readonly AnyTool[] {
  const inputSchema = { type: "object", properties: { sum: { type: "number" } } } as const;
  const work =
    (name: string) =>
    async ({ sum }: { readonly sum?: number }, context: Pick<CallContext, "caller">): Promise<string> => {
      await mcpClient(context)?.becomeTask();
      appendFileSync(join(folder, "effects.txt"), `${name}\n`);
      say({ did: name });
      if (how === "hold") await new Promise(() => undefined);
      if (how === "stop") {
        await until(() => existsSync(join(folder, "stop")));
        process.kill(process.pid, "SIGSTOP");
        await until(() => existsSync(join(folder, "return")));
        say({ returned: name });
        return "too late";
      }
      return `${name} ${sum}`;
    };
  return [
    defineTool({ name: "pay", description: "Pays.", inputSchema, handler: work("pay") }),
    defineTool({ name: "set", description: "Sets.", inputSchema, metadata: { annotations: { idempotent: true } }, handler: work("set") }),
  ];
}

/** How often the tools did their work. */
export function effects(folder: string): number {
  const file = join(folder, "effects.txt");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).length : 0;
}
