import { createHash } from "node:crypto";
import { type Caller, ToolError } from "@toolrack/core";
import type { Breadcrumb, JsonObject } from "@toolrack/store";
import type { Canvas, CanvasHost } from "@toolrack/tools";
import type { RecordFeed } from "../store/records.ts";
import type { Canvases, ShownCanvas } from "./canvases.ts";

/** Of one caller, of all, and how long one is kept after its last change. */
const limits = { perCaller: 20, total: 100, keptMs: 30 * 86_400_000 } as const;

export type CanvasManager = Canvases & { readonly host: CanvasHost };

/** Canvases, as records: every server of the store shows them. */
export function createCanvases({ feed, now }: { readonly feed: RecordFeed; now(): number }): CanvasManager {
  const records = feed.of("toolrack.canvas.v1");
  const all = (): readonly ShownCanvas[] => [...records.values()].map(toShown).toSorted((a, b) => b.updatedAt - a.updatedAt);
  const find = async (id: string): Promise<ShownCanvas | undefined> => {
    const record = await records.fetch(id);
    return record && toShown(record);
  };
  const host: CanvasHost = {
    async put({ caller }, { id: name, title, document }) {
      const id = idOf(caller, name);
      const others = all().filter((one) => one.id !== id);
      const own = others.filter((one) => ownerOf(one.caller) === ownerOf(caller)).length;
      if (own >= limits.perCaller || others.length >= limits.total)
        throw new ToolError(
          "RATE_LIMITED",
          `There are ${own} canvases of yours, and ${others.length} altogether. Hide one with the action "hide".`,
        );
      const canvas = { name, title, document, caller: makerOf(caller), updatedAt: now() };
      await records.write({
        id,
        title: title.slice(0, 200),
        context: JSON.parse(JSON.stringify(canvas)) as JsonObject,
        ttl: { afterMs: limits.keptMs },
        visibility: "private",
      });
      return toCanvas({ id, ...canvas });
    },
    async get({ caller }, name) {
      const found = await find(idOf(caller, name));
      return found && toCanvas(found);
    },
    async list({ caller }) {
      return all()
        .filter((one) => ownerOf(one.caller) === ownerOf(caller))
        .map((one) => {
          const { document: _, ...info } = toCanvas(one);
          return info;
        });
    },
    remove: ({ caller }, name) => records.remove(idOf(caller, name)),
  };
  return { host, list: all, get: (id) => all().find((one) => one.id === id), remove: (id) => records.remove(id) };
}

function toShown({ id, context }: Breadcrumb): ShownCanvas {
  return { id, ...(context as unknown as Omit<ShownCanvas, "id">) };
}

function toCanvas({ name, title, document, updatedAt }: ShownCanvas): Canvas {
  return { id: name, title, document, updatedAt: new Date(updatedAt).toISOString() };
}

/** Whose it is: nobody reaches that of another by naming it. */
function ownerOf({ tenant, principal, agent }: Caller): string {
  return JSON.stringify([tenant ?? "", principal ?? "", agent ?? ""]);
}

function idOf(caller: Caller, name: string): string {
  return `canvas-${createHash("sha256")
    .update(JSON.stringify([ownerOf(caller), name]))
    .digest("hex")
    .slice(0, 32)}`;
}

function makerOf({ tenant, principal, agent, session }: Caller): Caller {
  return {
    ...(tenant !== undefined && { tenant }),
    ...(principal !== undefined && { principal }),
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { session }),
  };
}
