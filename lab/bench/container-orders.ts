import { hash } from 'node:crypto';

import { assembleSignature, buildContainer, type DeviceSignature, type Evidence, prepareSignature, verifyDeviceSignature } from '#signatures/asic';
import { FILE, type KeyType, type Signed, type Signer, type SigningKit, signLikePhone } from '#testkit/asic/signing-kit';

import { inTurn } from './in-turn.js';

/** Signatures in turn: many more than the process remembers as right (`verified-signatures.ts`), since each container has another one. */
const DIFFERENT = 2500;
/** Signers in turn: more than the certificates that a process remembers, and their signatures too. */
const SIGNERS = 800;

/** What one container is made of. */
export interface Order {
  readonly signed: Signed;
  /** The phone's signature as it arrives. */
  readonly device: DeviceSignature;
  readonly evidence: Evidence;
}

export class ContainerOrders {
  readonly terms: Parameters<typeof prepareSignature>[0];

  private constructor(
    private readonly kit: SigningKit,
    signer: Signer,
    readonly orders: readonly Order[],
  ) {
    const documents = [{ name: 'contract.pdf', hash: hash('sha512', FILE, 'buffer') }];
    this.terms = { documents, certificate: signer.certificate, signingTime: kit.clock.now() };
  }

  static async make(kit: SigningKit, signer: Signer): Promise<ContainerOrders> {
    return new ContainerOrders(kit, signer, await inTurn(DIFFERENT, (number) => orderOf(kit, signer, number)));
  }

  /** Each of another signer, all with the keys of this one. */
  static async ofManySigners(kit: SigningKit, signer: Signer, type: KeyType): Promise<ContainerOrders> {
    const order = async (number: number) => orderOf(kit, await kit.signer(type, signer.keys), number);
    return new ContainerOrders(kit, signer, await inTurn(SIGNERS, order));
  }

  /** Assembles, packs and verifies. */
  build({ signed: { signer, prepared, signature, signingTime }, evidence }: Pick<Order, 'signed' | 'evidence'>): Promise<Buffer> {
    const cms = assembleSignature({ ...signer, ...prepared, signature, evidence });
    return buildContainer({
      manifest: prepared.manifest,
      signature: cms,
      level: 'LT',
      signingTime,
      trust: this.kit.trust,
      now: this.kit.clock.now(),
    });
  }

  /** Everything that a container takes, with time-stamp and OCSP. */
  async whole({ signed, device }: Order): Promise<void> {
    prepareSignature({ ...this.terms, certificate: signed.signer.certificate });
    // ECDSA signs otherwise each time: the container holds the signature that was checked on arrival
    const signature = verifyDeviceSignature(device);
    if (!signature) throw new Error("the phone's signature was refused");
    const arrived = { ...signed, signature };
    await this.build({ signed: arrived, evidence: await this.kit.evidence(arrived) });
  }
}

const orderOf = async (kit: SigningKit, signer: Signer, number: number): Promise<Order> => {
  const now = kit.clock.now();
  const signed = kit.sign(signer, `contract ${number}.pdf`);
  kit.clock.advance(now - kit.clock.now());
  const { toBeSigned } = signed.prepared;
  const device = { toBeSigned, certificate: signer.certificate, signature: signLikePhone(toBeSigned, signer.keys) };
  return { signed, device, evidence: await kit.evidence(signed) };
};

/** A function that gives one after the other, and the first one after the last one. */
export const inCircles = <T>(all: readonly T[]): (() => T) => {
  let at = -1;
  return () => {
    at = (at + 1) % all.length;
    return all[at] as T;
  };
};
