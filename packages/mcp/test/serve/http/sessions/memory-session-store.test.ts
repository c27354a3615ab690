import { createMemorySessionStore } from "../../../../src/serve/http/sessions/memory-session-store.ts";
import { sessionStoreContract } from "./session-store-contract.ts";

sessionStoreContract("memory", async () => createMemorySessionStore({ perPrincipal: 2 }));
