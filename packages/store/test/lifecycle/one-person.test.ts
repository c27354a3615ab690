import { expect, it } from "vitest";
import { isOnePerson } from "../../src/lifecycle/one-person.ts";

const issuer = "https://login.example.com/";

it.each([
  ["the same name", ["anna"], ["anna"]],
  ["a key and the agent", ["key anna"], ["anna"]],
  ["a client on the same machine and a key", ["loopback anna"], ["key anna"]],
  ["a key and a token of one name", ["bot", "key anna"], ["anna", `token ${issuer} anna`]],
  ["tokens of two issuers", [`token ${issuer} anna`], ["token https://other.example anna"]],
  ["names with spaces", [`token ${issuer} anna smith`], ["key anna smith"]],
  ["names of several lines", [`token ${issuer} an\nna`], ["key an\nna"]],
  ["other cases and forms of letters", ["KEY Anna"], ["\uff41nna"]],
])("SD6: %s are one person", (_, one, other) => {
  expect(isOnePerson(one, other)).toBe(true);
  expect(isOnePerson(other, one)).toBe(true);
});

it.each([
  ["two names", ["anna"], ["bert"]],
  ["a name and the end of another", [`token ${issuer} bob anna`], ["anna"]],
  ["two keys", ["key anna"], ["key bert"]],
  ["one issuer", [`token ${issuer} anna`], [`token ${issuer} bert`]],
  ["what is not known", [undefined, "anna"], [undefined, "bert"]],
  ["nobody", [], []],
])("%s are not one person", (_, one, other) => {
  expect(isOnePerson(one, other)).toBe(false);
});
