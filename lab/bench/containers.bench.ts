import { prepareSignature, verifyContainer, verifyDeviceSignature } from '#signatures/asic';
import { FILE, type KeyType, SigningKit } from '#testkit/asic/signing-kit';
import { answerOcsp, answerTimeStamp, Certificate } from '#signatures/pki';
import { ocspRequest, timeStampRequest } from '#testkit/pki/trust-service-requests';

import { ContainerOrders, inCircles, type Order } from './container-orders.js';
import { inTurn } from './in-turn.js';
import { table } from './report.js';

const KEY_TYPES: readonly KeyType[] = ['P-256', 'P-384', 'RSA'];
const WARM_UP = 50;

/** Milliseconds of processor time that the work takes each time, all threads of this process together. */
const cost = async (seconds: number, work: () => unknown): Promise<number> => {
  for (let round = 0; round < WARM_UP; round += 1) await work();
  const before = process.cpuUsage();
  const end = performance.now() + seconds * 1000;
  let count = 0;
  for (; performance.now() < end; count += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / count;
};

/** By the name of the step. */
type Costs = ReadonlyMap<string, number>;

const WHOLE = 'all of it, with time-stamp and OCSP';
const SERVICE = 'of it, the answers of the development trust service';

/** The development trust service alone: a time-stamp and an OCSP response, each with its signature. */
const answers = (kit: SigningKit, leaf: Certificate, issuer: Certificate): (() => Promise<unknown>) => {
  const { pki, randomness } = kit;
  const requests = { timeStamp: timeStampRequest(FILE, randomness), ocsp: ocspRequest(leaf, issuer, randomness) };
  const lookUp = () => Promise.resolve({ status: 'good' } as const);
  return () => {
    const now = kit.clock.now();
    answerTimeStamp(requests.timeStamp, { unit: pki.timestamping, now, randomness });
    return answerOcsp(requests.ocsp, { pki, now, lookUp });
  };
};

const containerCosts = async (kit: SigningKit, type: KeyType, seconds: number): Promise<Costs> => {
  const signer = await kit.signer(type);
  const { certificate } = signer;
  const containers = await ContainerOrders.make(kit, signer);
  const { orders, terms } = containers;
  const strangers = await ContainerOrders.ofManySigners(kit, signer, type);
  const [next, nextStranger] = [inCircles(orders), inCircles(strangers.orders)];
  const nextContainer = inCircles(await inTurn(orders.length, (number) => containers.build(orders[number] as Order)));
  const [leaf, issuer] = [certificate, ...signer.chain].map(Certificate.parse) as [Certificate, Certificate];
  return new Map([
    ['prepare: manifest and signed attributes', await cost(seconds, () => prepareSignature(terms))],
    ["verify the phone's signature", await cost(seconds, () => verifyDeviceSignature(next().device))],
    ['time-stamp, with every check of the answer', await cost(seconds, () => kit.timestampAuthority.stamp(certificate))],
    ['OCSP, with every check of the answer', await cost(seconds, () => kit.revocationSource.ask(leaf, issuer))],
    ['assemble, pack and verify, level LT', await cost(seconds, () => containers.build(next()))],
    [WHOLE, await cost(seconds, () => containers.whole(next()))],
    [SERVICE, await cost(seconds, answers(kit, leaf, issuer))],
    ['all of it, for a signer who is not remembered', await cost(seconds, () => strangers.whole(nextStranger()))],
    ['verify a container', await cost(seconds, () => verifyContainer(nextContainer(), { trust: kit.trust, now: kit.clock.now() }))],
  ]);
};

/** Measures signed containers with each kind of key, `seconds` for each number. A chapter of docs/benchmarks.md. */
export const containerChapter = async (seconds: number): Promise<string> => {
  const kit = await SigningKit.open();
  const columns: Costs[] = [];
  for (const type of KEY_TYPES) columns.push(await containerCosts(kit, type, seconds));
  const steps = [...(columns[0]?.keys() ?? [])];
  const perSecond = (of: (costs: Costs) => number): readonly string[] => columns.map((costs) => Math.round(1000 / of(costs)).toLocaleString('en'));
  const whole = (costs: Costs): number => costs.get(WHOLE) ?? NaN;
  return [
    '## Signed containers',
    '',
    'Milliseconds of processor time for each step of a container, in a process by itself, by the key of the signer. Time-stamp and OCSP come from the',
    "development trust service in the same process: the numbers hold its share too, and no wait for a provider's answer. The phone signs before the measurement.",
    'The certificates of the CAs, of the responder and of the unit, and the list of the root, are remembered from one container to the next, as in a service; so',
    "is the signer's certificate, except where it says otherwise.",
    '',
    table(
      ['', ...KEY_TYPES],
      [
        ...steps.map((step) => [step, ...columns.map((costs) => (costs.get(step) ?? NaN).toFixed(3))]),
        ['containers per second and core', ...perSecond(whole)],
        ['the same, without the answers of the trust service', ...perSecond((costs) => whole(costs) - (costs.get(SERVICE) ?? NaN))],
      ],
    ),
    '',
  ].join('\n');
};
