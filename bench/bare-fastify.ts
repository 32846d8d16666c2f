import fastify from 'fastify';

/** The reference for all results: a route that does nothing, on the same machine in the same run. */
const app = fastify();
app.get('/', () => ({ hello: 'world' }));
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
