import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A browser's part of a subscription, with the keys that only the browser has. */
export class BrowserKeys {
  readonly #ecdh = createECDH('prime256v1');
  readonly p256dh: string;

  constructor(
    privateKey = randomBytes(32),
    private readonly secret = randomBytes(16),
  ) {
    this.#ecdh.setPrivateKey(privateKey);
    this.p256dh = this.#ecdh.getPublicKey('base64url');
  }

  get auth(): string {
    return this.secret.toString('base64url');
  }

  /** RFC 8291 section 3.4 and RFC 8188 section 2, written from the documents. Throws for a body that is not for this browser. */
  decrypt(body: Buffer): string {
    const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
    const senderKey = body.subarray(21, 21 + keyLength);
    const record = body.subarray(21 + keyLength);
    const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), this.#ecdh.getPublicKey(), senderKey]);
    const ikm = hkdfSync('sha256', this.#ecdh.computeSecret(senderKey), this.secret, keyInfo, 32);
    const key = Buffer.from(hkdfSync('sha256', Buffer.from(ikm), salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', Buffer.from(ikm), salt, 'Content-Encoding: nonce\0', 12));
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2); // the delimiter of the last record
    if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no last record');
    return padded.subarray(0, end).toString('utf8');
  }
}

export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A push service on loopback (RFC 8030): it takes what it is sent, and answers as the test says. */
export class PushService {
  readonly received: ReceivedPush[] = [];
  readonly #sockets = new Set<Socket>();
  #answers: readonly (number | 'HANGS')[] = [];
  #waiting: (() => void)[] = [];

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.#sockets.add(socket));
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const answer = this.#answers[this.received.length] ?? 201;
        this.received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
        for (const wake of this.#waiting.splice(0)) wake();
        if (answer !== 'HANGS') response.writeHead(answer, answer === 429 ? { 'retry-after': '7' } : {}).end();
      });
    });
  }

  static async start(): Promise<PushService> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PushService(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The statuses of the next answers; 201 after them. */
  willAnswer(...answers: (number | 'HANGS')[]): void {
    this.#answers = [...this.received.map(() => 0), ...answers];
  }

  /** Resolves when so many pushes have come in all. */
  async pushes(count: number): Promise<readonly ReceivedPush[]> {
    while (this.received.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.received;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The claims of a VAPID header whose signature is right (RFC 8292), with the key that it names. */
export const vapidOf = ({ headers }: ReceivedPush): { readonly key: string; readonly claims: Readonly<Record<string, unknown>> } => {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: `${x}`, y: `${y}` }, format: 'jwk' });
  const right = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!right) throw new Error('the VAPID token is not signed by its key');
  return { key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown> };
};
