import { describe, expect, it } from "vitest";
import { credentialsReceived, credentialsSent } from "../../../src/upstream/credentials/credentials.ts";
import { credentialsIn } from "../../../src/upstream/credentials/secrets.ts";

const secret = ["client_secret", "client_assertion", "assertion", "refresh_token", "subject_token", "actor_token", "code", "code_verifier"];
const form = { "content-type": "application/x-www-form-urlencoded" };

describe("credentials on their way", () => {
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
