import { Command } from 'commander';

import { adminTokenCommands } from './commands/admin-tokens.js';
import { auditCommands } from './commands/audit.js';
import { backupCommands } from './commands/backup.js';
import { breakGlassCommands } from './commands/break-glass.js';
import { historyCommands } from './commands/history.js';
import { clientCommands } from './commands/clients.js';
import { completionCommands } from './commands/completion.js';
import { containerCommands } from './commands/containers.js';
import { deadLetterCommands } from './commands/dead-letters.js';
import { deviceCommands } from './commands/devices.js';
import { doctorCommand } from './commands/doctor.js';
import { erasureCommands } from './commands/erasures.js';
import { identityCommands } from './commands/identities.js';
import { keyCommands } from './commands/keys.js';
import { logoCommands } from './commands/logos.js';
import { migrateCommand } from './commands/migrate.js';
import { projectionCommands } from './commands/projections.js';
import { sessionCommands } from './commands/session.js';
import { storeCommands } from './commands/store.js';
import { webhookCommands } from './commands/webhooks.js';

const AFTER_HELP = `
The service:
  BASE_URL     its address (default http://localhost:$PORT, with PORT 3000)
  ADMIN_TOKEN  what lets you in (default: read from $DATA_DIR/admin-token, with DATA_DIR ./data)

Exit codes:
  0 done   1 refused   2 wrong command line   3 service not available   4 wrong or missing admin token
  5 the signed file is not in the container yet`;

/** The command line. Throws a Failure or a CommanderError instead of ending the process. */
export const buildProgram = (): Command => {
  const program = new Command('npm run cli --')
    .description('Registration and operations of a Countersign service, over /admin/v1; signed containers.')
    .option('--json', 'JSON for scripts instead of text for people')
    .showHelpAfterError('(--help tells more)')
    .addHelpText('after', AFTER_HELP)
    .exitOverride();
  for (const add of [
    clientCommands,
    logoCommands,
    identityCommands,
    deviceCommands,
    sessionCommands,
    webhookCommands,
    containerCommands,
    doctorCommand,
    keyCommands,
    storeCommands,
    backupCommands,
    breakGlassCommands,
    historyCommands,
    erasureCommands,
    migrateCommand,
    projectionCommands,
    adminTokenCommands,
    auditCommands,
    completionCommands,
    deadLetterCommands,
  ])
    add(program);
  return program;
};
