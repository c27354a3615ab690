import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { closeSecretRequest, openSecretRequest } from "../../src/secrets/requests.ts";
import { createMemoryStore } from "../../src/store/memory.ts";

describe("the request for a secret that is not set", () => {
  it("is one open record for each secret, with the tools that need it, and closed when it is set", async () => {
    const store = createMemoryStore();
    afterThisTest(() => store.close());
    const request = () => store.get("config-request-secret-key");
    await openSecretRequest(store, "key", "b");
    expect(await request()).toMatchObject({
      schema_name: "tool.config.request.v1",
      title: "The secret key is not set",
      tags: ["tool:config:request", "state:open"],
      context: { secret: "key", tools: ["b"], state: "open" },
      version: 1,
    });
    await openSecretRequest(store, "key", "b");
    await openSecretRequest(store, "key");
    expect((await request())?.version).toBe(1);
    await openSecretRequest(store, "key", "a");
    expect(await request()).toMatchObject({ context: { tools: ["a", "b"] }, version: 2 });
    await closeSecretRequest(store, "key");
    await closeSecretRequest(store, "key");
    await closeSecretRequest(store, "other");
    expect(await request()).toMatchObject({
      tags: ["tool:config:request", "state:closed"],
      context: { secret: "key", tools: ["a", "b"], state: "closed" },
      version: 3,
    });
    await openSecretRequest(store, "key", "a");
    expect(await request()).toMatchObject({ context: { state: "open" }, version: 4 });
  });

  it("is written by those who may write, and nobody else fails for it", async () => {
    const store = createMemoryStore();
    afterThisTest(() => store.close());
    await openSecretRequest(store.as({ owner: "local", agent: "bot", roles: ["subscriber"] }), "key");
    expect(await store.sequence()).toBe(0);
    await openSecretRequest(store.as({ owner: "local", agent: "bot", roles: ["emitter"] }), "key");
    expect(await store.sequence()).toBe(1);
  });
});
