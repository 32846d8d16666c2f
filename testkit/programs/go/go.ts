import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where programs that are built from Go modules stay, for all checkouts of this user. */
export const TOOLS_CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'countersign/tools');

const GO = existsSync('/usr/local/go/bin/go') ? '/usr/local/go/bin/go' : 'go';

/** Runs `go` with these arguments and returns what it prints. Its messages go to the terminal. Throws when it fails, or when there is no Go. */
export const go = (args: readonly string[], options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {}): string =>
  execFileSync(GO, args, {
    ...(options.cwd && { cwd: options.cwd }),
    env: { ...process.env, ...options.env, GOFLAGS: `${process.env['GOFLAGS'] ?? ''} -buildvcs=false`.trim() },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
