import { describe, expect, it } from '@jest/globals';

import { verdictOn } from './verdict.js';

const report = (severities: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(Object.entries(severities).map(([name, severity]) => [name, { name, severity, via: [] }])),
  });

describe('the check for advisories', () => {
  it.each(['high', 'critical'])('fails for a package with a %s one, and names it alone', (severity) => {
    const { failed, text } = verdictOn(report({ tls: severity, colours: 'moderate' }));
    expect(failed).toBe(true);
    expect(text).toContain(`tls: ${severity}`);
    expect(text).not.toContain('colours');
  });

  it('passes without advisories, and with lower ones', () => {
    expect(verdictOn(report({}))).toEqual({ failed: false, text: expect.stringContaining('No package') });
    expect(verdictOn(report({ colours: 'moderate' })).failed).toBe(false);
  });

  it.each([
    ['refuses the question', JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405, error: { summary: '', detail: '' } })],
    ['cannot be reached', JSON.stringify({ message: 'request failed', error: { code: 'ENOTFOUND' } })],
    ['answers with something else', '<html>'],
    ['does not answer in time', ''],
    ['answers null', 'null'],
  ])('passes and says that it checked nothing when the registry %s', (_, output) => {
    expect(verdictOn(output)).toEqual({ failed: false, text: expect.stringMatching(/^SKIPPED: /) });
  });
});
