import type { Standalone } from './start.js';

/** What the person at the terminal needs. Not part of the log, since it shows credentials; production shows none. */
export const banner = ({ platform, demo, phoneLink }: Standalone): string => {
  const { settings, adminToken } = platform;
  const lines = [
    ...(demo ? [['Demo, to log in to', new URL(demo.redirectUri).origin]] : []),
    ...(phoneLink ? [['A phone for the demo', phoneLink]] : []),
    ['Service', settings.baseUrl],
    ['API, to read and to try', `${settings.baseUrl}/docs`],
    ['Health', `${settings.baseUrl}/readyz`],
    ['Data', settings.dataDirectory],
  ];
  if (settings.environment !== 'production') {
    lines.push(['Admin token', adminToken.reveal()]);
    if (demo) lines.push(['Demo client_id', demo.clientId], ['Demo client_secret', demo.clientSecret], ['Demo redirect_uri', demo.redirectUri]);
  }
  const width = Math.max(...lines.map(([name = '']) => name.length));
  return `\nCountersign is up (${settings.environment}).\n\n${lines.map(([name = '', value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')}\n\n`;
};
