import { describe, expect, it } from "vitest";
import { createMemorySecrets } from "../../src/call/ports/secrets.ts";
import { createCapabilities } from "../../src/registry/capabilities.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { availabilityOf, deprecationNotice, isOffered, isVariable, reasonOf } from "../../src/registry/availability.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { ToolMetadata } from "../../src/tool/metadata.ts";

const facts = {
  capabilities: createCapabilities({ overrides: { git: false, node: true } }),
  secrets: createMemorySecrets({ SET: "x" }),
  breaker: undefined,
};
const stateOf = (metadata: ToolMetadata, disabled?: string): [string, string | undefined] => {
  const availability = availabilityOf(fakeTool({ metadata }), disabled, facts);
  return [availability.state, reasonOf(availability)];
};

describe("availabilityOf", () => {
  it("is ready for a tool in whose way nothing stands", () => {
    expect(availabilityOf(fakeTool(), undefined, facts)).toEqual({ state: "ready" });
    expect(stateOf({ requiresCapabilities: ["node"], secrets: ["SET"] })).toEqual(["ready", undefined]);
  });

  it("offers a tool without the secrets that it can do without", () => {
    expect(stateOf({ secrets: ["SET", "UNSET"], optionalSecrets: ["UNSET"] })).toEqual(["ready", undefined]);
    expect(stateOf({ secrets: ["UNSET"], optionalSecrets: ["OTHER"] })[0]).toBe("needs-configuration");
  });

  it("offers a tool that needs one of its secrets with any of them, and not without", () => {
    const either = (...secrets: string[]) => stateOf({ secrets, optionalSecrets: secrets, needsOneSecret: true });
    expect(either("UNSET", "SET")).toEqual(["ready", undefined]);
    expect(either("UNSET")).toEqual(stateOf({ secrets: ["UNSET"] }));
    expect(either("UNSET", "OTHER")).toEqual([
      "needs-configuration",
      'None of its secrets is set ("UNSET", "OTHER"). Set one: toolrack secrets set UNSET.',
    ]);
  });

  it("names the first thing in the way and what to do: the switch, what it needs, its secrets, its age", () => {
    const everything: ToolMetadata = { requiresCapabilities: ["git"], secrets: ["UNSET"], deprecated: { since: "2.0.0" } };
    expect(stateOf(everything, "Off.")).toEqual(["disabled", "Off."]);
    expect(stateOf(everything)).toEqual(["unavailable", 'It needs "git". Install git and put it on the PATH.']);
    expect(stateOf({ ...everything, requiresCapabilities: [] })).toEqual([
      "needs-configuration",
      expect.stringMatching(/^The secret "UNSET" is not set\. Set it/),
    ]);
    expect(stateOf({ deprecated: { since: "2.0.0", successor: "new" } })).toEqual([
      "deprecated",
      'Deprecated since 2.0.0. Use "new" instead.',
    ]);
  });

  it("names the command that sets a missing setting, and the pause of a tool that rests", () => {
    const configSchema = { type: "object", properties: { enabled: { type: "boolean" }, server: { type: "string" } } };
    const remedyFor = (...missing: string[]) =>
      availabilityOf(fakeTool({ metadata: { configSchema } }), undefined, {
        ...facts,
        config: { get: () => undefined, missing: () => missing },
      });
    expect(remedyFor("enabled")).toEqual({
      state: "needs-configuration",
      fact: 'the setting "enabled" is not set',
      remedy: "Set it: toolrack config echo enabled=true",
    });
    for (const name of ["server", "toString", "other"]) expect(remedyFor(name).remedy).toBe(`Set it: toolrack config echo ${name}=<value>`);
    expect(remedyFor()).toEqual({ state: "ready" });
    const states = ["closed", "open", "half-open"] as const;
    const resting = states.map(
      (state) => availabilityOf(fakeTool(), undefined, { ...facts, breaker: { state: () => state } as never }).state,
    );
    expect(resting).toEqual(["ready", "resting", "resting"]);
    expect(stateOf({ deprecated: { since: "2.0.0" } })).toEqual(["deprecated", "Deprecated since 2.0.0."]);
  });

  it("may change by itself for tools that need something, or are conditional", () => {
    const variable: ToolMetadata[] = [
      { when: () => true },
      { optionality: "conditional" },
      { requiresCapabilities: [] },
      { secrets: [] },
      { configSchema: {} },
    ];
    for (const metadata of variable) expect(isVariable(fakeTool({ metadata })), JSON.stringify(metadata)).toBe(true);
    for (const metadata of [{}, { optionality: "required" }, { ownerOnly: true }] as ToolMetadata[])
      expect(isVariable(fakeTool({ metadata }))).toBe(false);
    expect(isVariable(fakeTool())).toBe(false);
  });

  it("offers what is ready, deprecated or resting, and nothing else", () => {
    const states = ["ready", "deprecated", "resting", "disabled", "unavailable", "needs-configuration", "draft", "archived"] as const;
    expect(states.filter(isOffered)).toEqual(["ready", "deprecated", "resting"]);
  });

  it("says since when a tool is deprecated, and what to use instead where that is known", () => {
    expect(deprecationNotice({ since: "1.2.0" })).toBe("Deprecated since 1.2.0.");
  });
});

describe("a tool of a registry", () => {
  // row: A17
  it("answers NEEDS_CONFIGURATION until its secret is set", async () => {
    const secrets = createMemorySecrets();
    const registry = createRegistry({ secrets });
    registry.register(
      fakeTool({
        metadata: { secrets: ["API_KEY"] },
        handler: (_, context) => context.secret("API_KEY").then((key) => String(key.length)),
      }),
    );
    expect(registry.list()).toEqual([]);
    expect(await registry.invoke("echo", {})).toMatchObject({ code: "NEEDS_CONFIGURATION", status: 409 });
    secrets.set("API_KEY", "12345");
    expect(registry.list()).toHaveLength(1);
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: true, content: "5" });
  });

  // row: H27
  it("is listed and called with a warning while it is deprecated", async () => {
    const registry = createRegistry();
    registry.register(fakeTool({ metadata: { deprecated: { since: "2.0.0", successor: "new" } } }));
    expect(registry.list()).toHaveLength(1);
    expect(registry.entries()[0]).toMatchObject({ state: "deprecated" });
    expect(await registry.invoke("echo", { text: "hi" })).toMatchObject({
      ok: true,
      meta: { warnings: ['Deprecated since 2.0.0. Use "new" instead.'] },
    });
  });
});
