import { request } from 'node:http';

/** JSON for the nodes of a cluster among each other: whole numbers of 64 bits and bytes are written as text. */
export const encode = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return { $n: String(part) };
    if (part instanceof Uint8Array) return { $b: Buffer.from(part).toString('base64') };
    if (typeof part === 'object' && part !== null && 'type' in part && part.type === 'Buffer' && 'data' in part)
      return { $b: Buffer.from(part.data as number[]).toString('base64') };
    return part;
  });

export const decode = (text: string): unknown =>
  JSON.parse(text, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null) return part;
    if ('$n' in part) return BigInt(part.$n as string);
    return '$b' in part ? new Uint8Array(Buffer.from(part.$b as string, 'base64')) : part;
  });

/** Sends a message to another node of this machine and resolves with its answer. Rejects when there is none in so many milliseconds. */
export const send = <Reply>(port: number, path: string, message: unknown, timeout: number): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, method: 'POST', signal: AbortSignal.timeout(timeout) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(decode(Buffer.concat(chunks).toString()) as Reply);
        else reject(new Error(`the node on ${port} answered ${response.statusCode}`));
      });
    });
    call.on('error', reject);
    call.end(encode(message));
  });
