/** Of the default `DEMO_PORT`, in the document. */
export const DEMO_REDIRECT_URI = 'http://localhost:3001/callback';

/** Where a login at the demo ends. */
export const demoRedirectUri = (demoPort: number): string => `http://localhost:${demoPort}/callback`;
