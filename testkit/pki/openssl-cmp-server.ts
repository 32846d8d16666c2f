import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';

export interface OpensslCmpServer extends AsyncDisposable {
  readonly url: string;
  /** Sends a message, and answers the server's. */
  ask(message: Buffer): Promise<Buffer>;
}

/** OpenSSL's CMP server with these options, on a free port. `folder`: where the files of the options lie. */
export const startOpensslCmpServer = async (folder: string, options: readonly string[]): Promise<OpensslCmpServer> => {
  const server = spawn('openssl', ['cmp', '-port', '0', ...options], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const listening = Promise.withResolvers<string>();
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, port] = /ACCEPT .*:(\d+)/.exec(said) ?? [];
      if (port) listening.resolve(`http://127.0.0.1:${port}/pkix/`);
    });
  server.on('error', listening.reject);
  server.on('exit', () => listening.reject(new Error(`openssl cmp ended: ${said}`)));
  const url = await listening.promise;
  return {
    url,
    ask: async (message) => {
      // A connection for each message: the server serves one at a time.
      const outgoing = request(url, {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/pkixcmp', 'content-length': message.length },
      });
      outgoing.end(message);
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      return buffer(answer);
    },
    [Symbol.asyncDispose]: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
};
