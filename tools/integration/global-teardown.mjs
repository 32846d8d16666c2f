export default async () => {
  await Promise.all(globalThis.startedEngines.map((stop) => stop()));
};
