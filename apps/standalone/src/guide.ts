import { createPlainApp, serve } from '#service/http';

import { serveGuide } from './front/serve-guide.js';

/** `npm run docs`, `npm run docs -- 4000`: the documentation alone, as the service serves it. */
const port = Number(process.argv[2] ?? 3000);
const app = createPlainApp();
await serveGuide(app);
app.get('/', (_request, reply) => reply.redirect('/guide/', 307));
await serve({ host: 'localhost', port, mounts: [], fallback: app });
process.stdout.write(`The documentation: http://localhost:${port}/guide/\n`);
