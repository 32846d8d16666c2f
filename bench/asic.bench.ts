import { hash } from 'node:crypto';

import { buildContainer, type ContainerOrder, prepareSignature, verifyContainer, verifyDeviceSignature } from '#asic';
import { FILE, type KeyType, SigningKit, signLikePhone } from '#asic/testing';
import { Certificate } from '#pki';

/** What a container costs on one core; the last part of `npm run bench`, or `npm run bench:asic` alone. */
const SECONDS = 3;
const KEY_TYPES: readonly KeyType[] = ['P-256', 'P-384', 'RSA'];

const kit = await SigningKit.open();

const measure = async (name: string, work: () => unknown): Promise<number> => {
  for (let warm = 0; warm < 50; warm += 1) await work();
  const begun = performance.now();
  let count = 0;
  while (performance.now() - begun < SECONDS * 1000) {
    await work();
    count += 1;
  }
  const milliseconds = (performance.now() - begun) / count;
  console.log(`${name.padEnd(44)}${milliseconds.toFixed(3).padStart(8)} ms${Math.round(1000 / milliseconds).toString().padStart(8)}/s`);
  return milliseconds;
};

for (const type of KEY_TYPES) {
  const signer = await kit.signer(type);
  const { certificate } = signer;
  const signed = kit.sign(signer);
  const { prepared, signature, signingTime } = signed;
  const evidence = await kit.evidence(signed);
  const order: ContainerOrder = { ...signer, ...prepared, signature, signingTime, evidence, trust: kit.trust, now: kit.clock.now() };
  const container = await buildContainer(order);
  const terms = { signedDataName: 'contract.pdf', signedDataHash: hash('sha512', FILE, 'buffer'), certificate, signingTime };
  const device = { toBeSigned: prepared.toBeSigned, certificate, signature: signLikePhone(prepared.toBeSigned, signer.keys) };

  console.log(`\n${type}, ${container.length} bytes`);
  await measure('prepare: manifest and attributes', () => prepareSignature(terms));
  await measure("verify the phone's signature", () => verifyDeviceSignature(device));
  await measure('assemble, pack and check itself, level LT', () => buildContainer(order));
  await measure('verify', () => verifyContainer(container, { trust: kit.trust, now: kit.clock.now() }));
  await measure('whole container, time-stamp and OCSP included', async () => {
    const gathered = await kit.evidence(signed);
    await buildContainer({ ...order, evidence: gathered });
  });
}

const signer = await kit.signer();
const [leaf, issuer] = [signer.certificate, ...signer.chain].map(Certificate.parse) as [Certificate, Certificate];
console.log('\nthe development trust service, with every check of its answers');
await measure('time-stamp', () => kit.timestampAuthority.stamp(signer.certificate));
await measure('OCSP', () => kit.revocationSource.ask(leaf, issuer));
await measure('issue a certificate', () => kit.signer('P-256', signer.keys));
