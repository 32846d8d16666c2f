import type { Command } from 'commander';

import { contextOf } from '../context.js';
import { table } from '../table.js';
import { timeText } from '../times.js';

export const deviceCommands = (program: Command): void => {
  const devices = program.command('devices').description('the phones of a person');

  devices
    .command('list <identityId>')
    .description('all devices, revoked ones too')
    .action(async (identityId: string, _options: object, command: Command) => {
      const { api, terminal } = await contextOf(command);
      const found = await api.all(`/identities/${encodeURIComponent(identityId)}/devices`, 'devices');
      const rows = found.map(({ deviceId, name, platform, status, lockedUntil, enrolledAt }) => [
        deviceId,
        name,
        platform,
        status,
        timeText(lockedUntil),
        timeText(enrolledAt),
      ]);
      terminal.show({ devices: found }, table(['DEVICE ID', 'NAME', 'PLATFORM', 'STATUS', 'LOCKED UNTIL', 'ENROLLED'], rows));
    });

  devices
    .command('revoke <identityId> <deviceId>')
    .description('make a device unusable for good')
    .option('--yes', 'do not ask')
    .action(async (identityId: string, deviceId: string, { yes = false }: { yes?: boolean }, command: Command) => {
      const { api, terminal } = await contextOf(command);
      await terminal.confirm(`The device ${deviceId} is revoked for good. Go on?`, yes);
      await api.delete(`/identities/${encodeURIComponent(identityId)}/devices/${encodeURIComponent(deviceId)}`);
      terminal.show({ deviceId, revoked: true }, `Revoked ${deviceId}.`);
    });
};
