import { auditBegin, type Selector } from "@toolrack/store";
import { callTypes, type FedType, jobTypes, recordTypes, registryTypes, resultTypes, serverTypes } from "../feed/event-types.ts";
import { followEvents } from "../feed/follow.ts";
import { readEventId } from "../feed/position.ts";
import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { isOwn } from "./shared/callers.ts";
import { recordsFor, visibleTools } from "./_visible.ts";

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;

const events = defineRoute({
  method: "GET",
  path: "/events",
  id: "followEvents",
  group: "events",
  summary:
    "Follow what happens, as server-sent events; Last-Event-ID goes on where a stream broke off, and a reset tells what retention removed since.",
  query: {
    type: "object",
    properties: {
      types: {
        type: "array",
        items: { type: "string", enum: [...recordTypes, ...callTypes, ...resultTypes, ...registryTypes, ...serverTypes, ...jobTypes] },
      },
      tool: { ...text, description: "Only events about this tool." },
      agent: { ...text, description: "Only calls of this agent." },
      schema_name: { ...text, description: "Filters changes of records, together with tags and comparisons, as in a search." },
      tag: text,
      anyTags: texts,
      allTags: texts,
      noneTags: texts,
      where: {
        type: "array",
        items: { type: "object", properties: { path: text, op: text, value: true }, required: ["path", "op"], additionalProperties: false },
      },
      since: { ...text, description: "The same as Last-Event-ID, for clients that cannot send headers." },
    },
    additionalProperties: false,
  },
  answers: { 200: { description: "An endless stream.", contentType: "text/event-stream" } },
  streams: true,
  async run(request) {
    const { rack, server, identity, signal } = request;
    const { types, tool, agent, since, ...records } = request.query;
    const seesAll = identity.roles.has("subscriber");
    const id = request.header("last-event-id") ?? since;
    const store = recordsFor(request);
    // An invalid selector is reported now; later the answer has started.
    if (seesAll) store.changes({ selector: records as Selector, signal: AbortSignal.abort() });
    const change = await rack.store.sequence();
    const start = id === undefined ? { change, call: await server.callFeed.last() } : readEventId(id);
    if (start.change > change)
      throw new Problem(400, "REQUEST_INVALID", `The event ${id} is unknown: it is from another store. Leave it out to start now.`);
    return {
      events: followEvents({
        registry: rack.registry,
        callFeed: server.callFeed,
        store: seesAll ? store : undefined,
        maySeeCallsOf: (caller) => seesAll || isOwn(identity, caller),
        // Checked for each event: the policy may change.
        maySeeTool: (name) => visibleTools(request)(name),
        maySeeSources: seesAll,
        configChanges: rack.configChanges,
        jobs: rack.jobs,
        filter: { types: types as readonly FedType[] | undefined, tool, agent, records: records as Selector },
        start,
        callsBegin: await auditBegin(rack.store),
        signal,
      }),
    };
  },
});

export const eventRoutes: readonly Route[] = [events];
