import { createInterface } from 'node:readline';

import { SigningKit } from '#testkit/asic/signing-kit';

import { ContainerOrders, inCircles } from './container-orders.js';

/**
 * A process that makes signed containers (P-256, level LT) by itself. Once it is ready it prints a line; for each line that it reads, a number of seconds, it
 * makes containers so long and prints `{"containers":…,"cpuSeconds":…}`. It ends with its input.
 */
const kit = await SigningKit.open();
const containers = await ContainerOrders.make(kit, await kit.signer());
const next = inCircles(containers.orders);
process.stdout.write('ready\n');

for await (const line of createInterface({ input: process.stdin })) {
  const before = process.cpuUsage();
  const end = performance.now() + Number(line) * 1_000;
  let count = 0;
  for (; performance.now() < end; count += 1) await containers.whole(next());
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ containers: count, cpuSeconds: (user + system) / 1_000_000 })}\n`);
}
