import type { BlockedClient, PhoneApi, Prover } from '#clients/device';
import type { Reply } from '#web-page/browser';

export interface BlockedClientsParts {
  readonly phone: { readonly prover: Prover | undefined; showAtHome(part: { readonly blocked: readonly BlockedClient[] }): void };
  readonly api: Pick<PhoneApi, 'blockedClients' | 'sessionClient' | 'blockClient' | 'reportClient' | 'unblockClient'>;
}

/** The relying parties whose requests reach this person by code only: the list on the home screen, and its changes. */
export class BlockedClients {
  private round = 0;
  private running = false;

  constructor(private readonly parts: BlockedClientsParts) {}

  /** Reads the list once. The home screen does not wait for it. */
  start(): void {
    if (this.running) return;
    this.running = true;
    void this.read();
  }

  stop(): void {
    this.running = false;
    this.round += 1;
  }

  /** Blocks the relying party that has sent the request. The service names it, since a request shows a name, and a name is no id. */
  async block(sessionId: string): Promise<void> {
    const { api } = this.parts;
    const asks = await this.ask((prover) => api.sessionClient(prover, sessionId));
    if (asks.kind === 'OK') await this.change((prover) => api.blockClient(prover, asks.body.clientId));
  }

  /** Tells the operator of a blocked relying party. */
  report({ clientId }: Pick<BlockedClient, 'clientId'>): Promise<void> {
    return this.change((prover) => this.parts.api.reportClient(prover, clientId));
  }

  unblock({ clientId }: Pick<BlockedClient, 'clientId'>): Promise<void> {
    return this.change((prover) => this.parts.api.unblockClient(prover, clientId));
  }

  /** The list shows what the service has stored, also when the change has failed. */
  private async change(send: (prover: Prover) => Promise<Reply<true>>): Promise<void> {
    await this.ask(send);
    await this.read();
  }

  private async read(): Promise<void> {
    const round = (this.round += 1);
    const reply = await this.ask((prover) => this.parts.api.blockedClients(prover));
    if (round === this.round && reply.kind === 'OK') this.parts.phone.showAtHome({ blocked: reply.body });
  }

  private async ask<Body>(send: (prover: Prover) => Promise<Reply<Body>>): Promise<Reply<Body>> {
    const { prover } = this.parts.phone;
    return prover === undefined ? { kind: 'UNREACHABLE' } : send(prover);
  }
}
