import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { createToolIndex, type SearchableTool } from "../../src/exports/search.ts";

const tool = (name: string, description = "", more: Partial<SearchableTool> = {}): SearchableTool => ({ name, description, ...more });
const namesOf = (hits: readonly { readonly tool: SearchableTool }[]) => hits.map((hit) => hit.tool.name);

const office = [
  tool("send_email", "Delivers a message to one or more people."),
  tool("delete_image", "Removes a picture from the album."),
  tool("reserve_hotel_room", "Reserves a room in a hotel for some nights."),
  tool("getStockPrice", "Tells what a share costs today.", {
    inputSchema: { type: "object", properties: { ticker: { type: "string", description: "Symbol of the company." } } },
  }),
  tool("convert_currency", "Converts an amount of money.", {
    inputSchema: { type: "object", properties: { to: { enum: ["euro", "dollar", "yen"] } } },
  }),
  tool("weather.forecast", "Predicts rain and temperature for a city."),
];

describe("finding tools", () => {
  it("finds a tool by a word of its name, description, parameters, values, hint, tags, category, source and examples", () => {
    const marked = tool("marked", "", {
      metadata: {
        category: "gardening",
        tags: ["seedling"],
        usageHint: "When soil is dry.",
        examples: [{ description: "Water the roses", input: { bed: "orchid" } }],
      },
    });
    const index = createToolIndex([...office, marked], { sourceOf: (one) => (one === marked ? "greenhouse" : undefined) });
    for (const query of ["gardening", "seedlings", "soil", "roses", "orchid", "greenhouse", "marked"])
      expect(namesOf(index.search(query)), query).toEqual(["marked"]);
    expect(namesOf(index.search("ticker"))).toEqual(["getStockPrice"]);
    expect(namesOf(index.search("yen"))).toEqual(["convert_currency"]);
    expect(namesOf(index.search("stock"))[0]).toBe("getStockPrice");
  });

  it("takes other forms of a word, and words written together or apart", () => {
    const index = createToolIndex([...office, tool("create_github_issue", "Opens an issue."), tool("GitLabPipelines", "Runs builds.")]);
    expect(namesOf(index.search("forecasting"))[0]).toBe("weather.forecast");
    expect(namesOf(index.search("git hub"))[0]).toBe("create_github_issue");
    expect(namesOf(index.search("gitlab"))[0]).toBe("GitLabPipelines");
  });

  // row: H5
  it("ranks the right tool among the first three for queries without a shared word", () => {
    const index = createToolIndex(office);
    const fixture = {
      "erase a photograph": "delete_image",
      "book accommodation": "reserve_hotel_room",
      "purchase equity": "getStockPrice",
      "mail my boss": "send_email",
      "climate tomorrow": "weather.forecast",
      "exchange cash": "convert_currency",
    };
    for (const [query, wanted] of Object.entries(fixture)) expect(namesOf(index.search(query, { limit: 3 })), query).toContain(wanted);
  });

  it("finds all tools of a request that needs several", () => {
    const request =
      "Please find out whether it will rain in Oslo tomorrow. Then book a hotel room for two nights, and finally email the confirmation to Ann.";
    expect(namesOf(createToolIndex(office).search(request, { limit: 3 })).sort()).toEqual([
      "reserve_hotel_room",
      "send_email",
      "weather.forecast",
    ]);
  });

  it("counts a word of the query once, however often it is said", () => {
    const index = createToolIndex(office);
    expect(index.search("hotel weather")).toEqual(index.search("hotel hotel weather hotel").map((hit) => hit));
  });

  it("does not add up the words of different examples", () => {
    const examples = (...descriptions: string[]) => ({
      metadata: { examples: descriptions.map((description) => ({ description, input: {} })) },
    });
    const scattered = tool("scattered", "", examples("count apples", "draw circles", "sing songs"));
    const together = tool("together", "", examples("draw apples and songs"));
    expect(namesOf(createToolIndex([scattered, together]).search("draw apples songs"))).toEqual(["together", "scattered"]);
  });

  it("prefers tools of a source that has another tool for the request", () => {
    const tools = [tool("alerts_a", "bank"), tool("alerts_b", "met"), tool("storm_forecast", "met")];
    const query = "forecast with alerts";
    expect(namesOf(createToolIndex(tools).search(query))).toEqual(["storm_forecast", "alerts_a", "alerts_b"]);
    const bySource = createToolIndex(tools, { sourceOf: ({ description }) => description });
    expect(namesOf(bySource.search(query))).toEqual(["storm_forecast", "alerts_b", "alerts_a"]);
    const byPrefix = createToolIndex(["bank: alerts", "met: alerts", "met: storm forecast"].map((name) => tool(name)));
    expect(namesOf(byPrefix.search(query))).toEqual(["met: storm forecast", "met: alerts", "bank: alerts"]);
  });

  it("of tools that say the same of a request prefers the one that says little else at first", () => {
    const asked = "Sends money between stores.";
    const other = "Moves frozen herring across cold harbours, keeps every record, lists ships, weighs nets.";
    const index = createToolIndex([tool("transfer_a", `${other} ${asked}`), tool("transfer_b", `${asked} ${other}`)]);
    expect(namesOf(index.search("send money between stores"))).toEqual(["transfer_b", "transfer_a"]);
  });

  it("in a large catalog finds nothing more by a common word where rarer ones find something", () => {
    const many = Array.from({ length: 1_000 }, (_, number) => tool(`report_${number}`, "Writes a report."));
    const zebras = [tool("feed_zebra", "Feeds a zebra."), tool("zebra_report", "Writes about a zebra.")];
    const index = createToolIndex([...many, ...zebras]);
    expect(namesOf(index.search("a report about the zebra"))).toEqual(["zebra_report", "feed_zebra"]);
    expect(index.search("report")).toHaveLength(5);
    expect(createToolIndex([...many.slice(0, 10), ...zebras]).search("a report about the zebra")).toHaveLength(5);
  });

  it("answers more hits of the same order when more are asked for", () => {
    const index = createToolIndex(
      Array.from({ length: 150 }, (_, number) =>
        tool(`note.${number % 7}_${number}`, `Takes note ${number % 13} of the day ${number % 5}.`),
      ),
    );
    const all = index.search("take note 3 of day 4", { limit: Infinity });
    for (const limit of [1, 5, 20, 21, 60, 120]) expect(index.search("take note 3 of day 4", { limit })).toEqual(all.slice(0, limit));
  });

  it("says which words met, as what, and where", () => {
    const [hit] = createToolIndex(office).search("erase the image");
    expect(hit?.why.filter(({ kind }) => kind === "word")).toEqual([
      { kind: "word", word: "image", met: "imag", fields: ["name"] },
      { kind: "word", word: "erase", met: "delet", as: "synonym", fields: ["name"] },
    ]);
  });

  it("names every gain that raised a hit, and none that did not", () => {
    const kindsOf = (hit: { readonly why: readonly { readonly kind: string }[] } | undefined) => hit?.why.map(({ kind }) => kind);
    const index = createToolIndex([
      tool("met: storm forecast", "Storms."),
      tool("met: alerts", "Alerts."),
      tool("storm_history", "Storms of the past."),
      tool("delete_storm", "Erases."),
    ]);
    const hits = index.search("storm forecast", { limit: 9 });
    const byName = (name: string) => hits.find((hit) => hit.tool.name === name);
    expect(kindsOf(byName("met: storm forecast"))).toEqual(["word", "word", "pair", "coverage", "fresh", "action"]);
    expect(byName("met: storm forecast")?.why).toContainEqual({ kind: "pair", words: ["storm", "forecast"], fields: ["name"] });
    // Its words are those of a better hit, so it is not fresh.
    expect(kindsOf(byName("storm_history"))).toEqual(["word", "coverage", "action"]);
    // Nobody asked to delete.
    expect(kindsOf(byName("delete_storm"))).toEqual(["word", "coverage"]);
    const family = index.search("storm forecast with alerts", { limit: 9 }).find((hit) => hit.tool.name === "met: alerts");
    expect(kindsOf(family)).toContain("family");
    for (const { why } of hits) for (const reason of why) if ("added" in reason) expect(reason.added).toBeGreaterThan(0);
  });

  it("replaces a word that no tool contains by a word of the same subject, and says so", () => {
    const [hit] = createToolIndex(office).search("shall I take an umbrella");
    expect(hit?.tool.name).toBe("weather.forecast");
    expect(hit?.why[0]).toEqual({ kind: "word", word: "umbrella", met: "weath", as: "related", fields: ["name"] });
    const withUmbrellas = createToolIndex([...office, tool("umbrella_shop", "Lists umbrellas.")]);
    expect(namesOf(withUmbrellas.search("shall I take an umbrella"))).toEqual(["umbrella_shop"]);
  });

  it("prefers a tool whose action is asked for over one that does something else to the same thing", () => {
    const index = createToolIndex([
      tool("cancel_invoice", "Invoices."),
      tool("print_invoice", "Invoices."),
      tool("update_invoice", "Invoices."),
    ]);
    expect(namesOf(index.search("I want my invoice"))[0]).toBe("print_invoice");
    expect(namesOf(index.search("please revoke my invoice"))[0]).toBe("cancel_invoice");
    expect(namesOf(index.search("modify the invoice"))[0]).toBe("update_invoice");
  });

  it("of tools for the same words puts those for other words of the request between", () => {
    const copies = ["a", "b", "c", "d", "e"].map((mark) => tool(`currency_rate_${mark}`, "Currency rate."));
    const index = createToolIndex([...copies, tool("rain_radar", "Radar."), ...office]);
    const found = namesOf(index.search("currency rate and rain radar", { limit: 5 }));
    expect(found.slice(0, 2).sort()).toEqual(["currency_rate_a", "rain_radar"]);
  });

  it("splits a request where a further verb begins", () => {
    const index = createToolIndex(office);
    expect(namesOf(index.search("convert 20 euro, reserve a hotel room and send an email to Ann", { limit: 3 })).sort()).toEqual([
      "convert_currency",
      "reserve_hotel_room",
      "send_email",
    ]);
  });

  it("answers five hits unless told otherwise", () => {
    const index = createToolIndex(Array.from({ length: 9 }, (_, number) => tool(`note_${number}`, "Takes a note.")));
    expect(index.search("note")).toHaveLength(5);
    expect(index.search("note", { limit: 7 })).toHaveLength(7);
    expect(index.search("note", { limit: 0 })).toEqual([]);
    expect(index.search("note", { limit: Infinity })).toHaveLength(9);
    expect(index.search("note", { limit: Number.NaN })).toHaveLength(5);
  });

  // row: G23
  it('finds random first among five hundred tools for "generate number"', () => {
    const others = Array.from({ length: 499 }, (_, number) =>
      tool(
        `${["list", "update", "export"][number % 3]}_${["invoice", "ticket", "phone_number", "report"][number % 4]}_${number}`,
        "Works on records.",
      ),
    );
    const random = tool("random", "Generates random numbers between a minimum and a maximum.");
    expect(namesOf(createToolIndex([...others, random]).search("generate number"))[0]).toBe("random");
  });
});

const words = ["mail", "email", "send", "file", "read", "weather", "city", "stock", "price", "images", "delete", "chart", "the", "für"];
const arbitraryTool = fc
  .record({
    name: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
    mark: fc.constantFrom("_", ".", ": "),
    said: fc.array(fc.constantFrom(...words), { maxLength: 8 }),
    examples: fc.array(fc.constantFrom(...words), { maxLength: 2 }),
  })
  .map(({ name, mark, said, examples }) =>
    tool(name.join(mark), said.join(" "), { metadata: { examples: examples.map((description) => ({ description, input: {} })) } }),
  );
const sourceOf = ({ description }: SearchableTool) => (description.startsWith("mail") ? "post" : undefined);
const arbitraryQuery = fc.array(fc.constantFrom(...words, ".", "and"), { maxLength: 9 }).map((said) => said.join(" "));

describe("keeping the index", () => {
  it("answers after any changes as an index that was made of what is left", () => {
    const changes = fc.array(fc.record({ one: arbitraryTool, remove: fc.boolean() }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(changes, arbitraryQuery, (steps, query) => {
        const index = createToolIndex<SearchableTool>([], { sourceOf });
        const left = new Set<SearchableTool>();
        for (const { one, remove } of steps) {
          const target = remove ? [...left][0] : one;
          if (target === undefined) continue;
          if (remove) index.remove(target);
          else index.add(target);
          if (remove) left.delete(target);
          else left.add(target);
        }
        expect(index.size).toBe(left.size);
        expect(index.search(query, { limit: 50 })).toEqual(createToolIndex(left, { sourceOf }).search(query, { limit: 50 }));
      }),
      { numRuns: 60 },
    );
  });

  it("answers the same after so many changes that the lists were made anew", () => {
    const examples = [{ description: "Mail when a storm comes", input: {} }];
    const fixed = [
      ...office,
      tool("met: alerts", "Sends alerts.", { metadata: { examples } }),
      tool("met: storm"),
      tool("bank: alerts"),
      tool("tea_stock"),
      tool("stock_tea"),
    ];
    const [early, late] = [fixed.slice(0, 4), fixed.slice(4)];
    const index = createToolIndex<SearchableTool>(early, { sourceOf });
    for (let round = 0; round < 700; round++) {
      const passing = tool(`passing: ${round}`, "mail the weather of a hotel.", { metadata: { examples } });
      index.add(passing);
      if (round === 200) for (const one of late) index.add(one);
      index.remove(passing);
    }
    for (const query of ["hotel weather mail", "alerts about the storm. Then book a room", "mail me when the storm comes", "tea stock"])
      expect(index.search(query, { limit: 20 })).toEqual(createToolIndex(fixed, { sourceOf }).search(query, { limit: 20 }));
  });

  it("narrowed to some tools answers as an index of those tools alone", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(arbitraryTool, { maxLength: 20 }),
        arbitraryQuery,
        fc.infiniteStream(fc.boolean()),
        (tools, query, coin) => {
          const among = Object.freeze(tools.filter(() => coin.next().value as boolean));
          const narrowed = createToolIndex(tools, { sourceOf }).search(query, { limit: 50, among });
          expect(narrowed).toEqual(createToolIndex(among, { sourceOf }).search(query, { limit: 50 }));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("leaves alone what is there twice, or not there", () => {
    const index = createToolIndex(office);
    index.add(office[0]!);
    index.remove(tool("send_email"));
    expect(index.size).toBe(office.length);
    expect(index.has(office[0]!)).toBe(true);
    expect(namesOf(index.search("email"))).toEqual(["send_email"]);
  });
});

describe("bad input", () => {
  const index = createToolIndex(office);

  it.each(["", "   ", "the of and", "!?…", "\u0000\u0007\u001b[31m", "🙂🙂", "__proto__ constructor hasOwnProperty"])(
    "finds nothing for %j",
    (query) => {
      expect(index.search(query)).toEqual([]);
    },
  );

  it("reads other scripts", () => {
    const abroad = createToolIndex([...office, tool("tenki", "東京の天気予報を調べる"), tool("meteo", "Prévisions météo à Genève")]);
    expect(namesOf(abroad.search("天気予報"))).toEqual(["tenki"]);
    expect(namesOf(abroad.search("geneve METEO"))).toEqual(["meteo"]);
    expect(abroad.search("погода завтра")).toEqual([]);
  });

  it.each([
    ["one word of 100 kB", "a".repeat(100_000)],
    ["100 kB of words", "weather hotel mail ".repeat(5_300)],
    ["100 kB of different words", Array.from({ length: 14_000 }, (_, number) => `w${number.toString(36)}`).join(" ")],
    ["100 kB of spaces", `${" ".repeat(100_000)}weather`],
    ["100 kB of marks", ".,;!?'\"".repeat(15_000)],
    ["100 kB of clauses", "and then ".repeat(11_000)],
    ["100 kB of letters without spaces between", "天".repeat(50_000)],
  ])("answers within bounds for %s", (_, query) => {
    const started = cpuTime();
    index.search(query);
    expect(cpuTime() - started).toBeLessThan(2_000);
  });

  it("answers a query after a long one as if that had not been asked", () => {
    const many = Array.from({ length: 300 }, (_, number) => `word${number.toString(36)}x`).join(" ");
    const asked = createToolIndex(office);
    asked.search(`${many}. Book a hotel. ${many}y and delete the image`);
    const query = "message for people with a picture. Then the weather";
    expect(asked.search(query, { limit: 9 })).toEqual(createToolIndex(office).search(query, { limit: 9 }));
  });

  it("orders ten thousand equal tools by name", () => {
    const equal = Array.from({ length: 10_000 }, (_, number) => tool(`copy_${String(9_999 - number).padStart(4, "0")}`, "Copies a page."));
    expect(namesOf(createToolIndex(equal).search("copy page", { limit: 3 }))).toEqual(["copy_0000", "copy_0001", "copy_0002"]);
  });

  it("takes tools whose parts are not what they should be", () => {
    const odd = [
      { name: "odd", description: undefined, inputSchema: { properties: { __proto__: null, a: 5, b: { enum: [null, 3] } }, items: "x" } },
      { name: "constructor", description: "valueOf toString" },
    ] as unknown as SearchableTool[];
    expect(namesOf(createToolIndex(odd).search("odd tostring constructor")).sort()).toEqual(["constructor", "odd"]);
  });
});
