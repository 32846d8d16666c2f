import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** How long TCP takes to notice that a packet was lost and to send it again. Milliseconds. */
const RETRANSMISSION = 300;

/**
 * The network between a service and a server, as TCP over a bad line shows it to them: bytes come late, in bursts, or for a while not at all,
 * but in their order. New connections, too, hear nothing while the line is cut.
 */
export class SlowLink {
  /** How long each byte is under way, each way. Milliseconds. */
  delay = 0;
  /** Share of the packets that are lost and sent again. */
  loss = 0;
  readonly #sockets = new Set<Socket>();
  #mended = Promise.resolve();
  #mend = (): void => undefined;

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
    private readonly random: () => number,
  ) {
    server.on('connection', (near) => this.#lead(near));
  }

  static async open(target: { readonly host: string; readonly port: number }, random: () => number = Math.random): Promise<SlowLink> {
    const server = createServer();
    const link = new SlowLink(server, target, random);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return link;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on nothing gets through, until {@link mend}: then the bytes under way do. */
  cut(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#mended = promise;
    this.#mend = resolve;
  }

  mend(): void {
    this.#mend();
  }

  close(): void {
    this.mend();
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #lead(near: Socket): void {
    const far = connect(this.target);
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true).on('error', () => undefined); // its end is passed to the other side
      socket.once('close', () => this.#sockets.delete(socket));
    }
    this.#carry(near, far);
    this.#carry(far, near);
  }

  /** One direction of a connection. */
  #carry(from: Socket, to: Socket): void {
    let last = Promise.resolve();
    const after = (work: () => void, due: number): void => {
      last = last
        .then(() => this.#mended)
        .then(() => until(due))
        .then(() => this.#mended)
        .then(work);
    };
    from.on('data', (bytes: Buffer) => {
      const lost = this.random() < this.loss;
      after(() => void to.write(bytes), performance.now() + this.delay + (lost ? RETRANSMISSION : 0));
    });
    from.once('close', () => after(() => void to.destroy(), performance.now() + this.delay));
  }
}

const until = async (moment: number): Promise<void> => {
  const wait = moment - performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
};
