import { callService } from "../../operations/service.ts";
import { listAt, type SearchBackend } from "./backend.ts";

/** An instance of one's own, at the address in the settings; it must allow the format "json". */
export const searxng: SearchBackend = {
  id: "searxng",
  name: "SearXNG",
  async search(service, { query }) {
    const parameters = new URLSearchParams({ q: query, format: "json" });
    const answer = await callService(service, `/search?${parameters}`, { headers: { accept: "application/json" } });
    return listAt(answer, "results").map(({ title, url, content }) => ({ title, url, snippet: content }));
  },
};
