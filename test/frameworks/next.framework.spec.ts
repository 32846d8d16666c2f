import { afterAll, beforeAll, describe } from '@jest/globals';

import { keepsTheRulesOfALogin } from '../support/login-site/index.js';
import { startedApp } from './support.js';

const NEXT = 'node_modules/next/dist/bin/next';

/** As `create-next-app` makes them. */
const LAYOUT = `import type { ReactNode } from 'react';

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
`;

describe('an app of Next with the App Router, as the README of the SDK has it', () => {
  let app: Awaited<ReturnType<typeof startedApp>>;
  beforeAll(async () => {
    app = await startedApp({
      name: 'next',
      heading: 'Next',
      starter: { 'app/layout.tsx': LAYOUT },
      build: [process.execPath, NEXT, 'build'],
      start: (port) => [NEXT, 'start', '--port', port],
    });
  });
  afterAll(async () => app[Symbol.asyncDispose]());

  keepsTheRulesOfALogin(() => app);
});
