/** The settings that the server wrote into the page's `<meta name="countersign-config">`. */
export const pageConfig = (): Readonly<Record<string, unknown>> => {
  const content = document.querySelector('meta[name="countersign-config"]')?.getAttribute('content') ?? '{}';
  const config: unknown = JSON.parse(content);
  return typeof config === 'object' && config !== null ? { ...config } : {};
};

/** @throws Error when the setting is missing: a page must not guess its service */
export const configText = (config: Readonly<Record<string, unknown>>, name: string): string => {
  const value = config[name];
  if (typeof value !== 'string' || value === '') throw new Error(`the page's configuration has no ${name}`);
  return value;
};
