import { createMemoryStore } from "../src/store/memory.ts";
import { describe } from "vitest";
import { storeContract } from "./contract/contract.ts";

describe("the memory store", () => {
  storeContract(async (options) => createMemoryStore(options));
});
