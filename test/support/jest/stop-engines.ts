export default async (): Promise<void> => {
  const { stopEngines = [] } = globalThis as { stopEngines?: (() => Promise<void>)[] };
  await Promise.all(stopEngines.map((stop) => stop()));
};
