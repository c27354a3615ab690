// toolrack programs run programs/cheapest.ts words='["tent","lamp"]'
const words: string[] = input.words;
const found = await Promise.all(words.map((query) => tools.product_lookup({ query, limit: 50 })));
return found.map(({ products }, index) => {
  const [cheapest] = products.toSorted((a, b) => a.price_minor - b.price_minor);
  return { word: words[index], products: products.length, cheapest: cheapest?.name ?? null };
});
