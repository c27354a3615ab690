export default async () => {
  return { fahrenheit: input.celsius * 1.8 + 32 };
};
