import { type CallContext, defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { htmlToText } from "../operations/html-text.ts";
import { actionSchema } from "../workspace/actions.ts";
import { cleanHtml } from "./clean-html.ts";
import { toCanvasDocument } from "./document.ts";
import type { CanvasHost } from "./host.ts";

export interface CanvasOptions {
  /** Where canvases are kept and shown. @default none, and no tool `canvas` */
  readonly host?: CanvasHost;
}

/** The tool `canvas`. */
export function createCanvasTools({ host }: CanvasOptions): readonly ToolDefinition[] {
  return host === undefined ? [] : [createCanvas(host)];
}

interface CanvasInput {
  readonly action: "present" | "snapshot" | "list" | "hide";
  readonly canvasId?: string;
  readonly title?: string;
  readonly html?: string;
}

const text = { type: "string" } as const;
const info = {
  type: "object",
  properties: { canvasId: text, title: text, updatedAt: text },
  required: ["canvasId", "title", "updatedAt"],
} as const;

function createCanvas(host: CanvasHost): ToolDefinition {
  return defineTool({
    name: "canvas",
    title: "Show a page",
    description:
      "Shows people a page of HTML beside the conversation: tables, diagrams, reports. The page is only seen: scripts, forms, links and everything that loads from elsewhere are left out.",
    inputSchema: actionSchema({
      description: "present shows a page, or shows it anew; snapshot tells what it says; list tells which are shown; hide removes one.",
      actions: {
        present: { needs: ["canvasId", "html"], takes: ["title"] },
        snapshot: { needs: ["canvasId"] },
        list: {},
        hide: { needs: ["canvasId"] },
      },
      properties: {
        canvasId: {
          ...text,
          minLength: 1,
          maxLength: 64,
          pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$",
          description: "The name of the page: sales-report.",
        },
        title: { ...text, minLength: 1, maxLength: 200, description: "What stands above it; its name if absent." },
        html: {
          ...text,
          minLength: 1,
          maxLength: 200_000,
          description: "The page: HTML with styles, drawings as svg, and images as data addresses.",
        },
      },
    }),
    outputSchema: {
      type: "object",
      properties: {
        canvas: info,
        removed: { type: "array", items: text, description: "What was left out of the page." },
        text: { ...text, description: "For snapshot, what a reader sees." },
        canvases: { type: "array", items: info, description: "For list, the newest first." },
        hidden: text,
      },
    },
    metadata: {
      category: "ui",
      optionality: "optional",
      usageHint: "For what is easier to see than to read. Tell the user the title of the page.",
      examples: [
        {
          description: "Show a small table",
          input: { action: "present", canvasId: "stock", title: "Stock", html: "<table><tr><td>Tea</td><td>12</td></tr></table>" },
          usage: "result.canvas.canvasId",
        },
      ],
      annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 30_000, maxResultBytes: 1_048_576, concurrency: 4 },
      groups: ["ui"],
    },
    handler: (input, context) => answer(host, input as unknown as CanvasInput, context),
  });
}

async function answer(
  host: CanvasHost,
  { action, canvasId = "", title = canvasId, html = "" }: CanvasInput,
  context: CallContext,
): Promise<object> {
  switch (action) {
    case "present": {
      const clean = cleanHtml(html);
      const { document: _, id, ...rest } = await host.put(context, { id: canvasId, title, document: toCanvasDocument(title, clean.html) });
      return { canvas: { canvasId: id, ...rest }, ...(clean.removed.length > 0 && { removed: [...clean.removed] }) };
    }
    case "snapshot": {
      const { document, id, ...rest } = (await host.get(context, canvasId)) ?? missing(canvasId);
      return { canvas: { canvasId: id, ...rest }, text: htmlToText(document) };
    }
    case "list":
      return { canvases: (await host.list(context)).map(({ id, ...rest }) => ({ canvasId: id, ...rest })) };
    case "hide":
      if (!(await host.remove(context, canvasId))) missing(canvasId);
      return { hidden: canvasId };
  }
}

function missing(id: string): never {
  throw new ToolInputError(`There is no canvas ${JSON.stringify(id)} of yours. List them with the action "list".`);
}
