import { defineRoute, type RouteRequest, type RoutesOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import type { ShownCanvas } from "../rack/canvas/canvases.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";
import { isOwn, seesOthers, shownCallerSchema } from "./shared/callers.ts";

export type ListedCanvas = Omit<ShownCanvas, "document">;

export interface CanvasList {
  readonly canvases: readonly ListedCanvas[];
  readonly next?: number;
}

export interface CanvasAnswers {
  "GET /canvases": CanvasList;
  "GET /canvases/{id}": ShownCanvas;
  "DELETE /canvases/{id}": undefined;
}

const text = { type: "string" } as const;
const byId = { type: "object", properties: { id: text }, required: ["id"], additionalProperties: false } as const;
const fields = {
  id: text,
  name: { ...text, description: "As its maker names it." },
  title: text,
  caller: shownCallerSchema,
  updatedAt: { type: "number", description: "Milliseconds since 1970." },
} as const;

const list = defineRoute({
  method: "GET",
  path: "/canvases",
  id: "listCanvases",
  group: "canvases",
  summary: "List the pages that agents show: the own ones; with the role subscriber, all of them.",
  query: { type: "object", properties: pageQuery, additionalProperties: false },
  answers: ok("The newest first.", objectOf<CanvasList>({ canvases: listOf(objectOf<ListedCanvas>(fields)), next: nextOffset }, ["next"])),
  run({ rack, identity, query }) {
    const seen = rack.canvases.list().filter(({ caller }) => seesOthers(identity) || isOwn(identity, caller));
    const { items, ...rest } = pageOf(seen, query as PageQuery);
    return { body: { canvases: items.map(toListed), ...rest } };
  },
});

const show = defineRoute({
  method: "GET",
  path: "/canvases/{id}",
  id: "showCanvas",
  group: "canvases",
  summary: "Show a page that an agent shows.",
  params: byId,
  answers: ok(
    "The page.",
    objectOf<ShownCanvas>({
      ...fields,
      document: {
        ...text,
        description: "A whole document, for the srcdoc of a frame with an empty sandbox. It loads nothing and runs nothing.",
      },
    }),
  ),
  run: (request) => ({ body: demand(request, request.params.id) }),
});

const remove = defineRoute({
  method: "DELETE",
  path: "/canvases/{id}",
  id: "removeCanvas",
  group: "canvases",
  summary: "Remove a page that an agent shows: an own one; with the role curator, any.",
  params: byId,
  answers: nothing,
  async run(request) {
    const { rack, identity, params } = request;
    const { caller } = demand(request, params.id);
    if (!isOwn(identity, caller) && !identity.roles.has("curator"))
      throw new Problem(
        403,
        "ROLE_MISSING",
        `"${identity.agent}" may remove its own canvases only. Those of others need the role "curator".`,
      );
    if (!(await rack.canvases.remove(params.id))) gone(params.id);
    return { status: 204 };
  },
});

export const canvasRoutes: RoutesOf<CanvasAnswers> = [list, show, remove];

/** The same answer for a canvas that does not exist and for one of another caller. */
function demand({ rack, identity }: Pick<RouteRequest, "rack" | "identity">, id: string): ShownCanvas {
  const found = rack.canvases.get(id);
  return found === undefined || !(seesOthers(identity) || isOwn(identity, found.caller)) ? gone(id) : found;
}

function toListed(canvas: ShownCanvas): ListedCanvas {
  const { document: _, ...listed } = canvas;
  return listed;
}

function gone(id: string): never {
  throw new Problem(404, "NOT_FOUND", `There is no canvas "${id.slice(0, 64)}".`);
}
