import { execFileSync } from 'node:child_process';

import { describe, expect, it } from '@jest/globals';

import { shellCommand } from './shell-command.js';

describe('a command for the shell', () => {
  const words = ['a b', "it's", '$HOME', '"', '`id`', '&&', 'http://localhost/callback?a=1&b=2'];

  it('gives each word to the program as it is', () => {
    const command = shellCommand([process.execPath, '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...words], 'linux');
    expect(JSON.parse(execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8', env: { PATH: process.env['PATH'] } }))).toEqual(words);
  });

  it('quotes words of Windows as its shell wants them', () => {
    expect(shellCommand(['C:\\Program Files\\node.exe', '--port'], 'win32')).toBe('"C:\\Program Files\\node.exe" "--port"');
  });
});
