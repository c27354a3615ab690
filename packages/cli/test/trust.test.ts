import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { type Ended, run } from "./_run.ts";

const tools = `export default [{
  name: "send",
  description: "Sends a letter.",
  inputSchema: { type: "object", properties: { to: { type: "string" }, text: { type: "string" } }, required: ["to", "text"] },
  handler: (input) => input,
}];`;

function project(): { readonly folder: string; toolrack(...words: string[]): Promise<Ended> } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "tools.mjs"), tools);
  writeFileSync(join(folder, "toolrack.config.yaml"), "tools: { packs: {}, modules: [./tools.mjs] }\n");
  return { folder, toolrack: (...words) => run(words, { folder }) };
}

describe("toolrack overlay", () => {
  it("renames a tool and pins a parameter, shows that it did, and takes it back", async () => {
    const { toolrack } = project();
    expect((await toolrack("overlay")).output).toBe("There are no overlays: every tool is as its source has it.\n");
    const set = await toolrack(
      "overlay",
      "set",
      "send",
      "--name",
      "write_home",
      "--pin",
      "to=home@example.com",
      "--param",
      "text=What to say",
    );
    expect(set).toMatchObject({ code: 0, errors: "" });
    expect(set.output).toMatch(/send is shown as write_home now: name, text: description, pinned to\./);
    expect((await toolrack("call", "write_home", "text=hi", "--json")).json()).toMatchObject({
      data: { to: "home@example.com", text: "hi" },
    });
    expect((await toolrack("show", "write_home")).output).toMatch(
      /OVERLAY of .*tools\.mjs\/send \(record overlay-.* v1\): .*home@example\.com/,
    );
    expect((await toolrack("overlay", "list")).output).toMatch(/write_home .*send .*name, text: .* applied/);
    expect(await toolrack("overlay", "set", "send", "--pin", "text")).toMatchObject({
      code: 2,
      errors: expect.stringContaining("name=value"),
    });
    expect(await toolrack("overlay", "confirm", "write_home")).toMatchObject({ code: 0 });
    expect((await toolrack("overlay", "remove", "write_home")).output).toMatch(/The overlay of .*send was removed\./);
    expect((await toolrack("call", "send", "to=a", "text=hi", "--json")).json()).toMatchObject({ data: { to: "a" } });
  });
});

describe("toolrack proof", () => {
  it("prints what is checked with the files alone, also against an earlier one", async () => {
    const { folder, toolrack } = project();
    await toolrack("overlay", "set", "send", "--description", "One.");
    const save = async (name: string, ...words: string[]): Promise<void> =>
      writeFileSync(join(folder, name), (await toolrack("proof", "send", ...words)).output);
    await save("first.json");
    await toolrack("overlay", "set", "send", "--description", "Two.");
    await save("second.json", "--since", "first.json");
    expect((await toolrack("proof", "log")).output).toMatch(/INDEX.*\n1 .*overlay .*send.*\n0 .*overlay/);
    // Another folder, without a store.
    const elsewhere = temporaryFolder();
    for (const name of ["first.json", "second.json"]) writeFileSync(join(elsewhere, name), readFileSync(join(folder, name)));
    const verify = (...words: string[]) => run(["proof", "verify", ...words], { folder: elsewhere });
    const checked = await verify("second.json", "first.json");
    expect(checked).toMatchObject({
      code: 0,
      output: expect.stringMatching(/The proof holds: overlay of send .*begins with the earlier one/s),
    });
    const { signature } = JSON.parse(readFileSync(join(folder, "first.json"), "utf8")) as { signature: { publicKey: string } };
    expect((await verify("second.json", "--key", signature.publicKey)).output).toContain("signed with the key that you gave");
    const text = readFileSync(join(elsewhere, "second.json"), "utf8");
    writeFileSync(join(elsewhere, "forged.json"), text.replace("Two.", "Six."));
    expect(await verify("forged.json")).toMatchObject({ code: 1, output: expect.stringContaining("The proof does not hold:") });
    expect(await verify("first.json", "second.json")).toMatchObject({ code: 1 });
    expect(await verify("missing.json")).toMatchObject({ code: 2, errors: expect.stringContaining("ENOENT") });
    expect((await toolrack("audit", "verify")).output).toContain("Log of definitions intact: 2 entries");
  });
});
