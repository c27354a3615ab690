import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

it("SD6: a credential in the address or the arguments of a source is shown to nobody, and doctor, lint and config status advise a secret", async () => {
  const sources = {
    web: { url: "https://me:planted-1@127.0.0.1:1/mcp?api_key=planted-2" },
    program: { command: "planted-not-there", args: ["--token", "planted-3", "API_KEY=planted-4"], enabled: false },
  };
  const { as, ask } = serverOver(await openTestRack({ config: { store: { memory: true }, sources } }));
  const saved = { url: "https://127.0.0.1:1/mcp?token=planted-5" };
  expect((await ask("PUT", "/settings/sources.saved", { value: saved })).status).toBe(200);
  const readers = [ask, await as("sue", "subscriber"), await as("cora", "curator")];
  for (const reader of readers) {
    for (const place of ["/sources", "/settings", "/audit", "/lint", "/breadcrumbs?include_context=true", "/config/pending", "/health"]) {
      const { body } = await reader("GET", place);
      expect({ place, text: JSON.stringify(body) }).toEqual({ place, text: expect.not.stringMatching(/planted-\d/) });
    }
  }
  const { problems } = (await ask("GET", "/settings")).body;
  const places = ["sources.web.url", "sources.program.args.1", "sources.program.args.2", "sources.saved.url"];
  for (const place of places)
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${place} holds a credential\\..*secret:<name>`)));
  const { findings } = (await ask("GET", "/lint")).body;
  const advised = findings.filter(({ rule }: { rule: string }) => rule === "plain-credential").map(({ path }: { path: string }) => path);
  expect(advised.sort()).toEqual([...places].sort());
});
