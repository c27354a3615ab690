import { callService } from "../../operations/service.ts";
import { listAt, type SearchBackend } from "./backend.ts";

export const tavily: SearchBackend = {
  id: "tavily",
  name: "Tavily",
  defaultUrl: "https://api.tavily.com",
  secret: "tavily-api-key",
  async search(service, { query, limit }, key) {
    const answer = await callService(service, "/search", {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: Math.min(limit, 20) }),
    });
    return listAt(answer, "results").map(({ title, url, content }) => ({ title, url, snippet: content }));
  },
};
