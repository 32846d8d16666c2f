import { describe, expect, it } from '@jest/globals';

import { InvalidArguments } from '#service/config';

import { readSandboxArguments, readStartArguments } from './read-arguments.js';

const ALL = 'The arguments are: --client <redirect URI>, --port <number>, --json, --until-stdin-ends.';

describe('the arguments of the sandbox', () => {
  it('may all be left out', () => {
    expect(readSandboxArguments([])).toEqual({ client: [], port: 3000, json: false, untilStdinEnds: false });
  });

  it('are read in each order and spelling', () => {
    const given = ['--json', '--client', 'http://localhost:1/a', '--port=0', '--until-stdin-ends', '--client=http://localhost:2/b'];
    expect(readSandboxArguments(given)).toEqual({
      client: ['http://localhost:1/a', 'http://localhost:2/b'],
      port: 0,
      json: true,
      untilStdinEnds: true,
    });
  });

  it.each(['', '-1', '65536', '99999999999', '3e3', '3000 ', 'http'])('name a port from 0 to 65535, not %p', (port) => {
    expect(() => readSandboxArguments([`--port=${port}`])).toThrow(
      new InvalidArguments('--port must be a number from 0 to 65535, such as --port 3000; 0 takes a free one.'),
    );
  });

  it.each([
    [['--prot', '1'], `Unknown option '--prot'. ${ALL}`],
    [['3000'], `Unexpected argument '3000'. ${ALL}`],
    [['--json=yes'], `Option '--json' does not take an argument. ${ALL}`],
    [['--client'], `Option '--client <value>' argument missing. ${ALL}`],
  ])('that are wrong are named with those that there are: %p', (given, message) => {
    expect(() => readSandboxArguments(given)).toThrow(new InvalidArguments(message));
  });
});

describe('the arguments of the service', () => {
  it('name redirect URIs, and nothing else', () => {
    expect(readStartArguments(['--client', 'http://localhost:5173/callback'])).toEqual({ client: ['http://localhost:5173/callback'] });
    expect(() => readStartArguments(['--port', '1'])).toThrow(
      new InvalidArguments("Unknown option '--port'. The arguments are: --client <redirect URI>."),
    );
  });
});
