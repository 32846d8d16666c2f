import { LeanConnection, requestBytes } from './lean-connection.js';

/** The connections that are free, by address. */
const kept = new Map<string, LeanConnection[]>();

/**
 * As much of `fetch` as the load needs, over {@link LeanConnection}s that are kept: Node's own `fetch` costs the load more than a request costs the server, and
 * the benchmark would measure the load. Follows no redirection, and reads only answers with a content-length.
 */
export const leanFetch: typeof fetch = async (input, { method = 'GET', headers = {}, body } = {}) => {
  const { host, hostname, port, pathname, search } = new URL(input as string | URL);
  const free = kept.get(host) ?? [];
  kept.set(host, free);
  let connection = free.pop();
  while (connection?.closed) connection = free.pop();
  connection ??= new LeanConnection(hostname, Number(port));
  const sent = typeof body === 'string' ? body : Buffer.from((body ?? '') as Uint8Array).toString();
  const request = { method, path: pathname + search, headers: headers as Readonly<Record<string, string>>, body: sent };
  const { status, contentType, cookie, body: answer, last } = await connection.send(requestBytes(host, request));
  if (last) connection.close();
  else free.push(connection);
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: new Headers({ 'content-type': contentType, ...(cookie !== '' && { 'set-cookie': cookie }) }),
    text: () => Promise.resolve(answer),
    json: () => Promise.resolve(JSON.parse(answer) as unknown),
  } as Response;
};
