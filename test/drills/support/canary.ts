import { createServer, type Server } from 'node:net';

/** Listens at a forbidden address, and counts the connections. */
export class Canary {
  #connections = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((socket) => {
      this.#connections++;
      socket.destroy();
    });
  }

  static async open(host: string, port: number): Promise<Canary> {
    const canary = new Canary();
    await new Promise<void>((resolve, reject) => canary.#server.once('error', reject).listen(port, host, resolve));
    return canary;
  }

  get connections(): number {
    return this.#connections;
  }

  close(): void {
    this.#server.close();
  }
}
