import type { BrowserServer } from 'playwright-core';

import removeRunDirectory from './remove-run-directory.ts';

/** Ends the browser and the processes of the run, and removes its files. */
export default async (): Promise<void> => {
  const { browserServer } = globalThis as { readonly browserServer?: BrowserServer };
  await browserServer?.close();
  await removeRunDirectory();
};
