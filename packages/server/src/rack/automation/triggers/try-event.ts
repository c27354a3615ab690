import type { Caller } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";
import { eventMembers, matches, sampleRecord, type StoredEvent, streamOf, typesOf } from "../events/event.ts";
import { checkInput, mapInput } from "../events/mapping.ts";
import type { SampleEvent, TriggerSpec, TriggerTest } from "./triggers.ts";

export interface TryEventOptions {
  readonly schemaOf: (tool: string) => JsonSchema | undefined;
  readonly toolFault: (tool: string, caller: Caller) => string | undefined;
  now(): number;
}

/** What a trigger would do with an event. What the event leaves out is that of the first event that the trigger waits for. */
export function tryEvent(spec: TriggerSpec, caller: Caller, given: SampleEvent, options: TryEventOptions): TriggerTest {
  const event = eventOf(spec, given, options.now());
  const members = eventMembers[event.type];
  const odd = Object.keys(given).find((name) => name !== "type" && !members.includes(name));
  if (odd !== undefined)
    return { isChosen: false, fault: `A "${event.type}" event has no "${odd}". It has ${members.join(", ")}, and type, id and at.` };
  if (!matches(spec.on, event)) return { isChosen: false, fault: "Its selector does not choose this event: nothing would be called." };
  const fault = options.toolFault(spec.tool, caller);
  if (fault !== undefined) return { isChosen: true, fault };
  try {
    const mapped = mapInput(spec.input, { type: event.type, id: event.id, at: event.at, ...event.data });
    return { isChosen: true, input: checkInput(spec.tool, options.schemaOf(spec.tool) ?? {}, mapped) };
  } catch (error) {
    return { isChosen: true, fault: (error as Error).message };
  }
}

function eventOf({ on }: TriggerSpec, { type = typesOf(on)[0]!, ...data }: SampleEvent, now: number): StoredEvent {
  const { record, tool = on.tool, agent = on.agent } = data;
  const { schema_name = sampleRecord.schema_name } = on;
  const said = { ...(tool !== undefined && { tool }), ...(agent !== undefined && { agent }) };
  return {
    id: "test",
    type,
    stream: streamOf(type),
    number: 0,
    at: now,
    data: { ...data, ...said },
    ...(type.startsWith("record-") && { record: { ...sampleRecord, schema_name, ...record } }),
    ...said,
  };
}
