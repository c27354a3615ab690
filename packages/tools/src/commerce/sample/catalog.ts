import type { Product } from "../products.ts";
import { createSequence, pick } from "./random.ts";

interface Family {
  readonly noun: string;
  readonly category: string;
  readonly priceMinor: number;
  readonly weightGrams: number;
  readonly about: string;
}

const families: readonly Family[] = [
  ["running shoes", "shoes", 7_900, 600, "Light shoes with a cushioned sole for long runs on the road"],
  ["trail shoes", "shoes", 9_900, 750, "Shoes with a deep profile for mud, roots and gravel"],
  ["walking boots", "shoes", 13_900, 1_200, "Boots that hold the ankle on rough paths"],
  ["sandals", "shoes", 4_900, 400, "Open shoes for warm days and river crossings"],
  ["rain jacket", "jackets", 11_900, 420, "A jacket that keeps rain and wind out"],
  ["down jacket", "jackets", 18_900, 480, "A warm jacket that packs small, for cold camps"],
  ["fleece pullover", "jackets", 5_900, 350, "A soft layer that dries fast"],
  ["running shirt", "clothing", 2_900, 150, "A thin shirt that carries sweat away"],
  ["merino socks", "clothing", 1_790, 80, "Wool socks that stay dry and do not smell"],
  ["hiking trousers", "clothing", 6_900, 380, "Trousers with legs that zip off"],
  ["sun hat", "clothing", 2_490, 90, "A hat with a wide brim and a cord"],
  ["day pack", "bags", 6_490, 700, "A pack of 20 litres with a place for a bottle"],
  ["trekking pack", "bags", 16_900, 1_800, "A pack of 60 litres with a frame that can be set to the back"],
  ["dry bag", "bags", 1_990, 120, "A roll-top bag that floats and lets no water in"],
  ["two-person tent", "camping", 24_900, 2_100, "A tent that stands alone and is up in five minutes"],
  ["sleeping bag", "camping", 12_900, 1_100, "A bag for nights around freezing"],
  ["sleeping mat", "camping", 7_490, 500, "An air mat that insulates from cold ground"],
  ["gas stove", "cooking", 4_490, 95, "A small stove that boils a litre in four minutes"],
  ["titanium pot", "cooking", 5_490, 130, "A pot of 900 millilitres with a lid that strains"],
  ["steel bottle", "cooking", 2_790, 350, "A bottle that keeps tea hot for half a day"],
  ["head torch", "lights", 3_990, 85, "A lamp for the head with a red light for the tent"],
  ["camp lantern", "lights", 3_490, 210, "A lantern that charges in the sun"],
  ["climbing rope", "climbing", 15_900, 3_700, "A rope of 60 metres, dry treated"],
  ["climbing harness", "climbing", 6_290, 390, "A harness with four loops for gear"],
  ["trekking poles", "equipment", 5_990, 480, "Two poles that fold into a short pack"],
].map(([noun, category, priceMinor, weightGrams, about]) => ({ noun, category, priceMinor, weightGrams, about }) as Family);

const brands = ["Almfeder", "Bergwind", "Corvia", "Dunmore", "Eskdale", "Fjordby"];
const lines = ["Alba", "Brisk", "Comet", "Drift", "Ember", "Fern", "Glade", "Harbour", "Ibis", "Juniper", "Kestrel", "Lichen"];
const colours = ["black", "blue", "green", "grey", "orange", "red", "sand", "white"];

/** Products of a sample outdoor shop: the same seed gives the same products. */
export function sampleProducts(count: number, seed = 1): readonly Product[] {
  const next = createSequence(seed);
  return Array.from({ length: count }, (_, index) => {
    const family = families[index % families.length]!;
    const round = Math.floor(index / families.length);
    const colour = pick(colours, next);
    const price = Math.round((family.priceMinor * (0.7 + next() * 0.8)) / 100) * 100 - 10;
    return {
      id: `prd-${String(index + 1).padStart(4, "0")}`,
      name: `${lines[round % lines.length]} ${family.noun}${round < lines.length ? "" : ` ${Math.floor(round / lines.length) + 1}`}`,
      description: `${family.about}. Colour: ${colour}.`,
      category: family.category,
      brand: pick(brands, next),
      priceMinor: price,
      currency: "EUR",
      weightGrams: family.weightGrams + Math.floor(next() * 60),
    };
  });
}
