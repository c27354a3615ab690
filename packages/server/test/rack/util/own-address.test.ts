import { expect, it } from "vitest";
import { createOwnAddressCheck } from "../../../src/rack/util/own-address.ts";

it.each([
  ["127.0.0.1", 8080, "localhost", true],
  ["::ffff:127.0.0.1", 8080, "localhost", true],
  ["127.0.0.1", 8081, "localhost", false],
  ["203.0.113.7", 8080, "example.com", false],
  ["203.0.113.7", 443, "tools.example.com", true],
  ["203.0.113.7", 443, "tools.example.com.", true],
  ["203.0.113.7", 444, "tools.example.com", false],
  ["203.0.113.7", 443, "other.example.com", false],
])("%s, port %i, host %s leads to the server itself: %s", (address, port, host, isOwn) => {
  const check = createOwnAddressCheck(new Set([8080]), "https://tools.example.com/base");
  expect(check(address, port, host)).toBe(isOwn);
});
