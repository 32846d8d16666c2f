import { CertificateNotGood, ContainerRefused } from '#signatures/asic';
import { writeManifest } from '#signatures/asic';
import { streamName, StreamTombstoned } from '#engines/event-store';
import { ServiceUnavailable, type SessionId } from '#kernel';

import type { StartedSession } from '../domain/session.js';
import { BuildSignature, type BuildSignatureDependencies, type ContainerRefusals } from './build-signature.js';

const sessionId = '00000000-0000-4000-8000-000000000001' as SessionId;

const DOCUMENT = { name: 'a.pdf', hash: 'ab'.repeat(64) };
const TEXTS = { signedDataHash: DOCUMENT.hash, signedDataName: DOCUMENT.name };
const MANIFEST = Buffer.from(writeManifest({ documents: [{ name: DOCUMENT.name, hash: Buffer.from(DOCUMENT.hash, 'hex') }] })).toString('base64');

let found: Pick<StartedSession, 'status'> | undefined;
let discarded: SessionId[];
let build: BuildSignature;
beforeEach(() => {
  discarded = [];
  const dependencies = {
    sessions: { find: async () => found },
    results: { discard: async (id: SessionId) => void discarded.push(id) },
  };
  build = new BuildSignature(dependencies as unknown as BuildSignatureDependencies);
});

describe('building the container of a signature', () => {
  it.each(['PENDING', 'SCANNED'] as const)('is tried again while reads show the session as %s, without its approval', async (status) => {
    found = { status };
    await expect(build.execute(sessionId)).rejects.toThrow(ServiceUnavailable);
  });

  it.each(['COMPLETED', 'EXPIRED'] as const)('has nothing to do for a session that is %s', async (status) => {
    found = { status };
    await expect(build.execute(sessionId)).resolves.toBeUndefined();
    expect(discarded).toEqual([]);
  });

  it('has nothing to do for an erased session', async () => {
    found = undefined;
    await expect(build.execute(sessionId)).resolves.toBeUndefined();
    expect(discarded).toEqual([]);
  });

  it('discards the result of a cancelled session', async () => {
    found = { status: 'CANCELLED' };
    await build.execute(sessionId);
    expect(discarded).toEqual([sessionId]);
  });

  it('gives up, and buys no time-stamp, when the stored signature or a document was changed after the PIN', async () => {
    const handled: unknown[] = [];
    const bought: unknown[] = [];
    const approved = { status: 'SCANNED', terms: { signatureType: 'SIGNING', sealed: '' }, scan: {}, approval: { expiresAt: 1 } };
    const statement = { manifest: MANIFEST, toBeSigned: 'AA==', signingTime: 1 };
    const dependencies = {
      sessions: { find: async () => approved, handle: async (_: SessionId, command: unknown) => void handled.push(command) },
      results: { find: async () => ({ statement, signature: 'AA==' }), discard: async () => undefined },
      sealer: { open: (): object => TEXTS },
      readPersonalData: { execute: async () => ({}) },
      readSigningCertificate: { execute: async () => ({}) },
      checkApproval: { refusalOfSignature: async () => "the device's signature does not verify" },
      refusals: { refused: () => undefined },
      collectEvidence: { stamp: async () => void bought.push('stamp'), execute: async () => void bought.push('evidence') },
    };
    await new BuildSignature(dependencies as unknown as BuildSignatureDependencies).execute(sessionId);
    expect(handled).toEqual([{ type: 'AbandonSigning', reason: 'SIGNING_FAILED', finding: "the device's signature does not verify" }]);

    for (const change of [
      { signedDataHash: 'cd'.repeat(64) },
      { signedDataName: 'b.pdf' },
      { documents: [DOCUMENT, { ...DOCUMENT, name: 'b.pdf' }] },
    ]) {
      handled.length = 0;
      dependencies.sealer.open = () => ({ ...TEXTS, ...change });
      await new BuildSignature(dependencies as unknown as BuildSignatureDependencies).execute(sessionId);
      expect(handled).toEqual([{ type: 'AbandonSigning', reason: 'SIGNING_FAILED', finding: 'the manifest names other documents than the session' }]);
    }
    expect(bought).toEqual([]);
  });

  it('of an erased person ends the session, and is tried again when that cannot be stored', async () => {
    const handled: unknown[] = [];
    let storing = async (): Promise<void> => undefined;
    const approved = { status: 'SCANNED', terms: { signatureType: 'SIGNING', sealed: '' }, scan: {}, approval: { expiresAt: 1 } };
    const dependencies = {
      sessions: { find: async () => approved, handle: async (_: SessionId, command: unknown) => (handled.push(command), storing()) },
      results: { find: async () => ({ statement: { manifest: MANIFEST, toBeSigned: 'AA==', signingTime: 1 } }), discard: async () => undefined },
      sealer: { open: (): object => TEXTS },
      readPersonalData: { execute: async () => undefined },
    };
    const erased = new BuildSignature(dependencies as unknown as BuildSignatureDependencies);
    await erased.execute(sessionId);
    expect(handled).toEqual([{ type: 'AbandonSigning', reason: 'ERASED' }]);
    storing = async () => Promise.reject(new ServiceUnavailable('no store'));
    await expect(erased.execute(sessionId)).rejects.toThrow(ServiceUnavailable);
  });
});

describe('a container that cannot be built', () => {
  const refusals: Parameters<ContainerRefusals['refused']>[] = [];
  const commands: object[] = [];
  let status: StartedSession['status'];
  let storing: () => Promise<void>;
  let isRevoked: boolean;
  beforeEach(() => {
    status = 'SCANNED';
    isRevoked = false;
    storing = async () => undefined;
  });
  const failingWith = (error: Error): BuildSignature => {
    refusals.length = commands.length = 0;
    const reads: object[] = [{ status: 'SCANNED', approval: {}, scan: { deviceId: 'phone' } }];
    const dependencies = {
      unitOfWork: { run: (work: () => Promise<boolean>) => work() },
      findRevocation: { execute: async () => isRevoked },
      sessions: {
        find: async () => reads.shift() ?? { status, approval: {} },
        handle: async (_: SessionId, command: object) => {
          commands.push(command);
          await storing();
        },
      },
      results: { find: async () => Promise.reject(error), discard: async (id: SessionId) => void discarded.push(id) },
      lifetimes: {},
      refusals: { refused: (...refusal: Parameters<ContainerRefusals['refused']>) => void refusals.push(refusal) },
    };
    return new BuildSignature(dependencies as unknown as BuildSignatureDependencies);
  };

  it.each([
    ['certificate-revoked', 'a certificate of the signature is revoked', new CertificateNotGood('revoked')],
    ['trust', 'the container breaks its own rules: trust: no chain', new ContainerRefused([{ rule: 'trust', message: 'no chain' }])],
  ])('ends the session with its finding, and tells the operator: %s', async (rule, reason, error) => {
    await failingWith(error).execute(sessionId);
    expect(commands).toEqual([{ type: 'AbandonSigning', reason: 'SIGNING_FAILED', finding: reason }]);
    expect(refusals).toEqual([[sessionId, { rule, reason }]]);
  });

  it('because its phone was revoked says so, and is no fault of the trust services', async () => {
    isRevoked = true;
    await failingWith(new CertificateNotGood('revoked')).execute(sessionId);
    expect(commands).toEqual([{ type: 'EndOfDevice', deviceId: 'phone', reason: 'DEVICE_REVOKED' }]);
    expect(refusals).toEqual([]);
  });

  it('for now is tried again, and is no refusal', async () => {
    await expect(failingWith(new ServiceUnavailable('no responder')).execute(sessionId)).rejects.toThrow(ServiceUnavailable);
    expect([commands, refusals]).toEqual([[], []]);
  });

  it('is tried again when its end cannot be stored, and the operator is not told before', async () => {
    storing = async () => Promise.reject(new ServiceUnavailable('no store'));
    await expect(failingWith(new CertificateNotGood('revoked')).execute(sessionId)).rejects.toThrow(ServiceUnavailable);
    expect(refusals).toEqual([]);
  });

  it('is given up, and the operator is not told, when its signature was erased, or its session has ended meanwhile', async () => {
    await failingWith(new StreamTombstoned(streamName('result', sessionId))).execute(sessionId);
    status = 'EXPIRED';
    await failingWith(new ServiceUnavailable('no responder')).execute(sessionId);
    expect([commands, refusals, discarded]).toEqual([[], [], []]);
  });

  it('leaves nothing stored of a session that was cancelled meanwhile', async () => {
    status = 'CANCELLED';
    await failingWith(new ServiceUnavailable('no responder')).execute(sessionId);
    expect(discarded).toEqual([sessionId]);
  });
});
