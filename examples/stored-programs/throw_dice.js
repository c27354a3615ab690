// Throws until the sum is high enough, at most ten times.
export default async () => {
  for (let attempt = 1; attempt <= 10; attempt++) {
    const { numbers } = await tools.random({ min: 1, max: 6, count: 2 });
    const sum = numbers[0] + numbers[1];
    if (sum >= input.least) return { sum, attempt };
  }
  throw new Error(`No throw reached ${input.least}.`);
};
