import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PolicyConfig, readPolicyConfig } from "../../src/exports/policy.ts";
import { createRegistry, defineTool, type ToolDefinition, type ToolSource } from "../../src/index.ts";
import { createSearchUsage, createToolIndex, searchTools } from "../../src/exports/search.ts";

const tool = (name: string, description: string, handler: () => unknown = () => name): ToolDefinition =>
  defineTool({ name, description, inputSchema: { type: "object", properties: {} }, handler });
const namesOf = (hits: readonly { readonly tool: ToolDefinition }[]) => hits.map((hit) => hit.tool.name);

const mailTools = [
  tool("send_mail", "Sends a mail."),
  tool("read_mail", "Reads the mails of a folder."),
  tool("wipe_mail", "Deletes every mail for ever."),
  tool("take_note", "Writes a note down."),
];

function registryOf(tools: readonly ToolDefinition[], policy?: PolicyConfig) {
  const registry = createRegistry(policy && { policy: readPolicyConfig(policy) });
  for (const one of tools) registry.register(one);
  return registry;
}

describe("searching a registry", () => {
  it("finds only what the caller may see", () => {
    const registry = registryOf(mailTools, { agents: { clerk: { tools: { deny: ["wipe_mail"] } } } });
    expect(namesOf(searchTools(registry.view({}).tools, "delete all mail"))[0]).toBe("wipe_mail");
    expect(namesOf(searchTools(registry.view({ agent: "clerk" }).tools, "delete all mail"))).toEqual(["read_mail", "send_mail"]);
  });

  it("answers as if what it hides did not exist", () => {
    const words = ["mail", "send", "note", "file", "hub", "git", "github", "page"];
    const arbitraryTools = fc.uniqueArray(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }), {
      maxLength: 12,
      selector: (parts) => parts.join("_"),
    });
    fc.assert(
      fc.property(arbitraryTools, fc.array(fc.constantFrom(...words), { maxLength: 4 }), fc.nat(), (named, said, mask) => {
        const tools = named.map((parts, index) => tool(parts.join("_"), named[(index * 7 + 3) % named.length]!.join(" ")));
        const hidden = tools.filter((_, index) => ((mask >> index) & 1) === 1);
        const registry = registryOf(tools, { agents: { clerk: { tools: { deny: hidden.map(({ name }) => name) } } } });
        const open = tools.filter((one) => !hidden.includes(one));
        const query = said.join(" ");
        expect(searchTools(registry.view({ agent: "clerk" }).tools, query, { limit: 20 })).toEqual(
          createToolIndex(open).search(query, { limit: 20 }),
        );
      }),
      { numRuns: 60 },
    );
  });

  it("stays in step with what is registered, replaced, switched off and taken away", () => {
    const registry = registryOf(mailTools);
    expect(namesOf(searchTools(registry.view({}).tools, "note"))).toEqual(["take_note"]);
    registry.register(tool("pin_note", "Pins a note to the wall."));
    expect(namesOf(searchTools(registry.view({}).tools, "pin a note"))).toEqual(["pin_note", "take_note"]);
    registry.register(tool("pin_note", "Pins a placard."), { onConflict: "replace" });
    expect(namesOf(searchTools(registry.view({}).tools, "wall"))).toEqual([]);
    expect(namesOf(searchTools(registry.view({}).tools, "placard"))).toEqual(["pin_note"]);
    registry.disable("pin_note");
    expect(namesOf(searchTools(registry.view({}).tools, "placard"))).toEqual([]);
    registry.enable("pin_note");
    expect(namesOf(searchTools(registry.view({}).tools, "placard"))).toEqual(["pin_note"]);
    registry.unregister("pin_note");
    expect(namesOf(searchTools(registry.view({}).tools, "placard"))).toEqual([]);
  });

  it("finds a tool by where it comes from", async () => {
    const registry = registryOf(mailTools);
    const source: ToolSource = { id: "github", list: () => [tool("open_page", "Opens a page.")] };
    await registry.addSource(source);
    expect(namesOf(searchTools(registry.view({}).tools, "github"))).toEqual(["open_page"]);
    await registry.removeSource("github");
    expect(searchTools(registry.view({}).tools, "github")).toEqual([]);
  });
});

describe("searching a plain list", () => {
  it("finds in the list as it is now", () => {
    const list = [...mailTools];
    expect(namesOf(searchTools(list, "note"))).toEqual(["take_note"]);
    list.push(tool("pin_note", "Pins a note to the wall."));
    expect(namesOf(searchTools(list, "pin a note"))).toEqual(["pin_note", "take_note"]);
    list.shift();
    expect(namesOf(searchTools(list, "send a mail"))).not.toContain("send_mail");
  });

  it("answers the same for a frozen list, an array and the view of a registry", () => {
    const expected = createToolIndex(mailTools).search("read the mail");
    for (const list of [Object.freeze([...mailTools]), [...mailTools], registryOf(mailTools).view({}).tools, registryOf(mailTools).list()])
      expect(searchTools(list, "read the mail")).toEqual(expected);
  });
});

describe("what usage adds", () => {
  const ann = { tenant: "acme", sender: "ann" };
  const owner = JSON.stringify(["acme", "ann", null]);

  it("is off unless asked for, stays within its bound and explains itself", () => {
    const registry = registryOf(mailTools);
    const usage = createSearchUsage({ maxAdded: 0.3 });
    for (let times = 0; times < 100; times++) usage.note(owner, "handle mail", "wipe_mail");
    const plain = searchTools(registry.view(ann).tools, "handle the mails");
    expect(namesOf(plain)).toEqual(["read_mail", "wipe_mail", "send_mail"]);
    const [raised] = searchTools(registry.view(ann).tools, "handle the mails", { usage, caller: ann });
    expect(raised?.tool.name).toBe("wipe_mail");
    const added = raised!.score - plain.find((hit) => hit.tool.name === "wipe_mail")!.score;
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThanOrEqual(0.3);
    expect(raised?.why.at(-1)).toEqual({ kind: "usage", calls: 100, added: expect.closeTo(added, 6) });
  });

  it("needs to be told whose it is: callers to whom the same applies share a list", () => {
    const registry = registryOf(mailTools);
    const search = (): unknown => searchTools(registry.view(ann).tools, "mail", { usage: createSearchUsage() });
    expect(search).toThrow(expect.objectContaining({ code: "INPUT_INVALID", message: expect.stringContaining("Pass the caller") }));
  });

  it("never reaches another owner, an unlike query or a tool that words do not find", () => {
    const registry = registryOf(mailTools);
    const usage = createSearchUsage();
    usage.note(owner, "handle mail", "send_mail");
    usage.note(owner, "handle mail", "take_note");
    const before = searchTools(registry.view({}).tools, "handle mail");
    for (const caller of [{}, { tenant: "acme", sender: "bob" }, { tenant: "other", sender: "ann" }, { sender: "ann" }])
      expect(searchTools(registry.view(caller).tools, "handle mail", { usage, caller })).toEqual(before);
    expect(namesOf(searchTools(registry.view(ann).tools, "handle mail", { usage, caller: ann }))).not.toContain("take_note");
    expect(searchTools(registry.view(ann).tools, "delete every single mail", { usage, caller: ann })).toEqual(
      searchTools(registry.view({}).tools, "delete every single mail"),
    );
    usage.forget(owner);
    expect(searchTools(registry.view(ann).tools, "handle mail", { usage, caller: ann })).toEqual(before);
  });

  it("keeps a bounded number of habits", () => {
    const usage = createSearchUsage({ maxKept: 2, maxOwners: 1 });
    const hits = createToolIndex(mailTools).search("mail");
    usage.note("a", "mail", "send_mail");
    usage.note("a", "mail", "read_mail");
    usage.note("a", "mail", "wipe_mail");
    expect(usage.raise("a", "mail", hits).map(({ why }) => why.some(({ kind }) => kind === "usage"))).toEqual([true, true, false]);
    usage.note("b", "mail", "send_mail");
    expect(usage.raise("a", "mail", hits)).toEqual(hits);
  });
});
