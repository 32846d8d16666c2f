import { createServer } from 'node:http';
import { once } from 'node:events';

import { describe, expect, it } from '@jest/globals';

import { InvalidSettings } from '#service/config';
import { ServiceUnavailable } from '#kernel';

import { explainStartFailure } from './explain-start-failure.js';

const failureToListen = async (port: number, host: string): Promise<unknown> => {
  const [error] = (await once(createServer().listen(port, host), 'error').catch((thrown: unknown) => [thrown])) as [unknown];
  return error;
};

describe('the explanation of a failed start', () => {
  it('names the setting of a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const explained = explainStartFailure(await failureToListen(port, '127.0.0.1'));
    server.close();
    expect(explained).toBe(`Another process listens on port ${port}. Set PORT, OPS_PORT or DEMO_PORT to a free one.`);
  });

  it('names HOST when the machine does not have the address', async () => {
    const explained = explainStartFailure(await failureToListen(0, '192.0.2.1'));
    expect(explained).toBe('This machine does not have the address 192.0.2.1. Set HOST to one of its addresses, or to 0.0.0.0.');
  });

  it('names the port settings when the user may not listen there', () => {
    const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 80 });
    expect(explainStartFailure(error)).toBe('This user may not listen on port 80. Set PORT, OPS_PORT or DEMO_PORT to a port above 1023.');
  });

  it('names the settings of the engines when one is unavailable', () => {
    const error = new ServiceUnavailable('the event store is unavailable');
    expect(explainStartFailure(error)).toBe(
      'The service cannot start: the event store is unavailable. Check DATA_DIR and, where they are set, ESDB_URL, KAFKA_BROKERS and REDIS_URL.',
    );
  });

  it('lists every wrong setting', () => {
    expect(explainStartFailure(new InvalidSettings(['PORT must be a whole number.', 'DEMO must be true or false.']))).toMatch(
      /PORT must be a whole number\.\n.*DEMO must be true or false\./,
    );
  });

  it('shows the stack of a defect', () => {
    const error = new TypeError('x is not a function');
    expect(explainStartFailure(error)).toBe(error.stack);
  });
});
