/** Where a login at the demo ends. */
export const demoRedirectUri = (demoPort: number): string => `http://localhost:${demoPort}/callback`;
