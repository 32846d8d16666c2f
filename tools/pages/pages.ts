import type { FirstFrame } from './first-frame.ts';

/** A front end of the build. */
export interface Page {
  readonly name: string;
  /** The page's folder in this repository. */
  readonly source: string;
  /** The service worker below that folder. */
  readonly worker?: string;
  /** Whether the server writes the HTML. */
  readonly served?: boolean;
  /** The stylesheet of a page beside it whose HTML the server writes; `assets.json` names it. */
  readonly welcome?: string;
  /** A finished script of a package, which the page loads beside its own: %LIBRARY%. */
  readonly library?: () => Promise<string>;
  /** Writes documents beside the assets, by their paths below the folder; answers how many. */
  readonly documents?: (assets: { readonly root: string; readonly out: string; readonly script: string; readonly style: string }) => Promise<number>;
  /** Whether the document itself shows something. Its style and first script are then inside it. */
  readonly firstFrame?: FirstFrame;
}

/** All front ends: the build makes them, and tests look at each of them. */
export const PAGES: readonly Page[] = [
  {
    name: 'login',
    source: 'apps/login-bff/page',
    firstFrame: { texts: ['title', 'starting', 'step1', 'nothingTitle', 'nothing', 'offline'] },
  },
  {
    name: 'phone',
    source: 'apps/device-api/phone',
    worker: 'service-worker/service-worker.ts',
    firstFrame: { texts: ['enrolTitle', 'enrolText', 'codeByLink', 'loading', 'noAnswer'] },
  },
  { name: 'portal', source: 'apps/console/page' },
  { name: 'demo', source: 'examples/relying-party/page', served: true },
  {
    name: 'reference',
    source: 'apps/standalone/reference',
    library: async () => (await import('./scalar-bundle.ts')).scalarBundle(),
    welcome: 'welcome.css',
  },
  {
    name: 'guide',
    source: 'apps/standalone/guide',
    served: true,
    documents: async (assets) => (await import('../site/write-site.ts')).writeSite(assets),
  },
];
