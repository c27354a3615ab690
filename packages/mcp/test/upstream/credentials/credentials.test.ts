import { describe, expect, it } from "vitest";
import { credentialsReceived, credentialsSent } from "../../../src/upstream/credentials/credentials.ts";
import { credentialsIn, credentialsInUrl, fillUrl } from "../../../src/upstream/credentials/secrets.ts";

const secret = ["client_secret", "client_assertion", "assertion", "refresh_token", "subject_token", "actor_token", "code", "code_verifier"];
const form = { "content-type": "application/x-www-form-urlencoded" };

describe("secrets in an address", () => {
  const stored: Record<string, string> = { "a.url.1": "bot1:AbC=", other: "x/../&y=?#" };
  const options = { name: "a", secret: (name: string) => Promise.resolve(stored[name]) };

  it("are filled in when it connects, each inside its part, and are told, so that they are taken out of answers", async () => {
    const { url, secrets } = await fillUrl("https://h.example/${secret:a.url.1}/mcp?t=${secret:other}&page=2", options);
    expect(url.href).toBe("https://h.example/bot1:AbC=/mcp?t=x%2F..%2F%26y=%3F%23&page=2");
    expect(secrets).toEqual(expect.arrayContaining(["bot1:AbC=", "x/../&y=?#", "x%2F..%2F%26y=%3F%23"]));
    expect((await fillUrl("https://h.example/mcp?page=2", options)).url.href).toBe("https://h.example/mcp?page=2");
  });

  it("must be set", async () => {
    await expect(fillUrl("https://h.example/${secret:gone}", options)).rejects.toThrow('The secret "gone" of MCP server "a" is not set.');
  });
});

describe("credentials on their way", () => {
  it("are those that an address names, as written and as meant", () => {
    const url = new URL("https://me%20too:p%40w@host/?token=t%2F1&page=2&X-Signature=plain");
    expect(credentialsInUrl(url)).toEqual(["me%20too", "me too", "p%40w", "p@w", "t/1", "t%2F1", "plain"]);
    expect(credentialsInUrl(new URL("https://host/?page=2"))).toEqual([]);
  });

  it("are none in messages of the protocol, and in what is no object", () => {
    for (const body of [
      '{"jsonrpc":"2.0","access_token":"s3cret"}',
      'null /* _token" */',
      '"_token\\""',
      '["_token\\""]',
      '{"access_token":',
    ])
      expect(credentialsReceived(Buffer.from(body)), body).toEqual([]);
    expect(credentialsReceived(Buffer.from('{"access_token":5,"refresh_token":"r"}'))).toEqual(["r"]);
  });

  it.each([...secret, "device_code", "password"])("SD25: %s of a form is one", (field) => {
    const body = new URLSearchParams({ grant_type: "any", [field]: "s3cret" }).toString();
    expect(credentialsSent(new Headers(form), body)).toEqual(["s3cret"]);
  });

  it.each(["access_token", "refresh_token", "id_token", "registration_access_token", "client_secret"])(
    "SD25: %s of an authority's answer is one",
    (field) => {
      expect(credentialsReceived(Buffer.from(JSON.stringify({ token_type: "Bearer", [field]: "s3cret" })))).toEqual(["s3cret"]);
    },
  );

  it.each(["authorization", "X-Api-Key", "cookie", "x-password", "x-access-token", "client-secret"])(
    "SD25: the header %s is one",
    (name) => {
      expect(credentialsIn({ accept: "text/html", [name]: "Scheme s3cret" })).toEqual(["Scheme s3cret", "s3cret"]);
    },
  );
});
