import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { retryLoopsIn } from './retry-loops.ts';

const ROOT = join(import.meta.dirname, '../..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** What runs in production: no test, no test support. */
const sources = globSync('{libs,apps}/**/*.{ts,mts}', { cwd: ROOT }).filter(
  (path) => !/\.(?:spec|contract|check)\.ts$|\.d\.ts$|\/(?:test|testing|dist|node_modules)\//.test(path),
);

/** The files that the table of the decision names, each with its reason. */
const exceptions = [...text('docs/adr/0125-one-way-to-try-again.md').matchAll(/^\| `([^`|]+)` \| (\S.+) \|$/gm)].map(([, path = '']) => path);

describe('code that tries again after a failure by itself', () => {
  it('stands in the files that the decision names, and nowhere else', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.filter((path) => retryLoopsIn(text(path)).length > 0).toSorted()).toEqual(exceptions.toSorted());
  });

  it('stands there once', () => {
    expect(exceptions.filter((path) => retryLoopsIn(text(path)).length !== 1)).toEqual([]);
  });
});

describe('a loop', () => {
  it.each([
    ['for (;;) { try { return await work(); } catch { await pause(100); } }', 1],
    ['for (let failures = 0; ;) { try { await work(); } catch (error) { if (++failures > 3) throw error; } }', 1],
    ['while (!signal.aborted) { await work().catch(log); await sleep(wait, undefined, { signal }); }', 1],
    ['while (!signal.aborted) { await work().then(done, log); await this.#pause(); }', 1],
    ['while (!signal.aborted) { try { await work(); } catch (error) { await this.#afterFailure(error); } }', 1],
    ['do { try { await work(); again = false; } catch { again = true; } } while (again);', 1],
    ['for (const wait of [100, 200]) { try { return await work(); } catch { await sleep(wait); } }', 1],
    ["for (let attempt = 1; ; attempt += 1) { if ((await ask()).kind === 'OK') return; await pause(attempt * 100); }", 1],
    ['while (true) { try { return await work(); } catch { await new Promise((resolve) => setTimeout(resolve, 100)); } }', 1],
    ['const open = async () => { try { await work(); } catch { await pause(100); await open(); } };', 1],
    ['class Watch { async #watch() { try { await work(); } catch { await pause(100); return this.#watch(); } } }', 1],
    ['async function ask() { try { await work(); } catch { setTimeout(() => ask(), 100); } }', 1],
  ])('tries again after a failure: %s', (code, loops) => {
    expect(retryLoopsIn(code)).toHaveLength(loops);
  });

  it.each([
    'for (const item of items) { try { await take(item); } catch (error) { log(error); } }',
    'for (const peer of peers) { const answer = await ask(peer).catch(() => undefined); if (answer) return answer; }',
    'while (waiting.length > 0) { const next = waiting.shift(); try { next.resolve(await work(next)); } catch (error) { next.reject(error); } }',
    'while (!signal.aborted) { await look(); await pause(1000, signal); }',
    'for (;;) { const page = await read(from); if (page.length === 0) return; from = page.at(-1).revision; }',
    'for (let at = 0; at < bytes.length; at += 1) { try { parse(bytes[at]); } catch { return undefined; } }',
    'while (!signal.aborted) { await retry(() => work(), { waits: 100, signal }); await pause(1000, signal); }',
    'const execute = async () => { try { await work.execute(); } catch { await other.execute(); } };',
    'const once = async () => { try { return await work(); } catch { return work(); } };',
  ])('does not: %s', (code) => {
    expect(retryLoopsIn(code)).toEqual([]);
  });

  it('is told by its line', () => {
    expect(retryLoopsIn('const a = 1;\n\nfor (;;) {\n  try {\n    await work();\n  } catch {}\n}\n')).toEqual([3]);
  });
});
