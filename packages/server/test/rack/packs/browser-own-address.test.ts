import { hasPart } from "@toolrack/core/testing";
import { createCapabilities } from "@toolrack/core/node";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";
import { serve } from "../../../src/serve.ts";

const hasChromium = hasPart("chromium", createCapabilities().has("binary:chromium"));

it.skipIf(!hasChromium)(
  "AH1: a page in the browser reaches no address of the server, although the configuration names its host",
  async () => {
    const allowHosts = ["127.0.0.1", "localhost"];
    await using server = await openTestServer({ config: { tools: { packs: { utility: false, browser: { allowHosts } } } } });
    const served = await serve(server.rack, { port: 0 });
    afterThisTest(() => served.close({ graceMs: 0 }));
    const port = new URL(served.url).port;
    for (const host of ["127.0.0.1", "localhost"])
      expect(
        await server.rack.call(
          "browser",
          { action: "open", targetUrl: `http://${host}:${port}/api/v1/health` },
          { caller: { agent: "local", owner: true } },
        ).result,
      ).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED", error: expect.stringContaining("leads to this server") });
  },
);
