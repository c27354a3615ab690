import { describe, expect, it } from "vitest";
import { readSubscription } from "../../src/serve/changes/subscription.ts";
import { templateOf, toContents, toResourceFields } from "../../src/serve/library/resources.ts";
import { readPromptInput, toPromptFields } from "../../src/serve/library/prompts.ts";
import { approvalKey, approvalRequest, isApprovalKey, toAnswer } from "../../src/serve/questions/approvals.ts";

describe("the question whether a call may go ahead", () => {
  it("shows the arguments up to a length and no digest, and offers a session only where there is one", () => {
    const ticket = { tool: "exec" };
    expect(approvalRequest({ ...ticket, reason: "Run it?" }, { a: 1 }, true)).toMatchInlineSnapshot(`
      {
        "method": "elicitation/create",
        "params": {
          "message": "Run it?

      exec {"a":1}",
          "requestedSchema": {
            "properties": {
              "scope": {
                "default": "once",
                "enum": [
                  "once",
                  "session",
                ],
                "title": "For how long",
                "type": "string",
              },
            },
            "type": "object",
          },
        },
      }
    `);
    expect(approvalRequest(ticket, undefined, false)).toMatchInlineSnapshot(`
      {
        "method": "elicitation/create",
        "params": {
          "message": "May the tool "exec" be called?

      exec ",
          "requestedSchema": {
            "properties": {},
            "type": "object",
          },
        },
      }
    `);
    const message = (length: number): string => String(approvalRequest(ticket, "x".repeat(length), false).params["message"]);
    expect(message(998)).not.toContain("…");
    expect(message(999)).toMatch(new RegExp(`"${"x".repeat(999)}…$`));
  });

  it("is known by its key, and answered by what the person did", () => {
    expect(approvalKey("sha256:d")).toBe("approval:sha256:d");
    expect([isApprovalKey("approval:x"), isApprovalKey("x")]).toEqual([true, false]);
    expect(
      [{ action: "accept", content: { scope: "once" } }, { action: "accept" }, { action: "decline", content: { a: 1 } }].map(toAnswer),
    ).toEqual([{ action: "accept", value: { scope: "once" } }, { action: "accept" }, { action: "decline" }]);
  });
});

describe("a subscription", () => {
  it("is acknowledged with what it wants, and nothing else", () => {
    const all = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ["a://1", 7, "a://1"],
    };
    const { wantsResource, ...read } = readSubscription({ notifications: all });
    expect(read).toEqual({
      wantsTools: true,
      wantsPrompts: true,
      wantsResources: true,
      wanted: { ...all, resourceSubscriptions: ["a://1"] },
    });
    expect([wantsResource("a://1"), wantsResource("a://2")]).toEqual([true, false]);
    const { wantsResource: wantsNone, ...none } = readSubscription({
      notifications: { toolsListChanged: 1, promptsListChanged: "x", resourceSubscriptions: "a" },
    });
    expect(none).toEqual({ wantsTools: false, wantsPrompts: false, wantsResources: false, wanted: {} });
    expect(wantsNone("a")).toBe(false);
    const uris = Array.from({ length: 1_000 }, (_, index) => `a://${index}`);
    expect(readSubscription({ notifications: { resourceSubscriptions: uris } }).wanted).toEqual({ resourceSubscriptions: uris });
    expect(() => readSubscription({ notifications: { resourceSubscriptions: [...uris, "b://1"] } })).toThrow("At most 1000 resources");
    expect(() => readSubscription({ notifications: [] })).toThrow("notifications must be an object");
  });
});

describe("resources and prompts", () => {
  it("are listed with what they say of themselves", () => {
    const read = () => ({ text: "" });
    expect(toResourceFields({ uri: "a://1", name: "a", title: "A", description: "d", mimeType: "text/plain", read })).toEqual({
      uri: "a://1",
      name: "a",
      title: "A",
      description: "d",
      mimeType: "text/plain",
    });
    expect(toResourceFields({ uriTemplate: "a://{id}", name: "a", read })).toEqual({ uriTemplate: "a://{id}", name: "a" });
    const get = () => [];
    expect(
      toPromptFields({
        name: "p",
        title: "T",
        description: "d",
        arguments: [{ name: "a", description: "x", required: true }, { name: "b" }],
        get,
      }),
    ).toEqual({
      name: "p",
      title: "T",
      description: "d",
      arguments: [{ name: "a", description: "x", required: true }, { name: "b" }],
    });
    expect(toPromptFields({ name: "p", get })).toEqual({ name: "p" });
    expect({ ...readPromptInput({ name: "p", arguments: [{ name: "a", required: false }], get }, { b: "x" }) }).toEqual({ b: "x" });
  });

  it("are read as texts or bytes, of the type that they or their list say", () => {
    expect(toContents("a://1", [{ text: "a" }, { blob: "Yg==", mimeType: "image/png" }, { meta: { at: 1 } }], "text/plain")).toEqual([
      { uri: "a://1", mimeType: "text/plain", text: "a" },
      { uri: "a://1", mimeType: "image/png", blob: "Yg==" },
      { uri: "a://1", mimeType: "text/plain", text: "", _meta: { at: 1 } },
    ]);
    expect(toContents("a://1", { text: "a" }, undefined)).toEqual([{ uri: "a://1", text: "a" }]);
  });

  it("have templates with gaps that are apart from each other", () => {
    const template = (uriTemplate: string) => templateOf({ uriTemplate, name: "t", read: () => undefined });
    expect(template("a://{id}/{page}").match("a://1/2")).toEqual({ id: "1", page: "2" });
    expect(template("a://{id}")).toBe(template("a://{id}"));
    for (const wrong of ["a://{id}{page}", "a://{", "a://{a b}"])
      expect(() => template(wrong)).toThrow(
        expect.objectContaining({
          code: "CONFIG_INVALID",
          message: `The resource template "${wrong}" must be a URI with gaps such as {id}, apart from each other.`,
        }),
      );
  });
});
