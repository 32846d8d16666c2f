import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Ends the process that the files shared, and removes what the run left behind; CONFORMANCE_KEEP=1 keeps it. */
export default async () => {
  const directory = process.env.CONFORMANCE_RUN_DIR;
  if (!directory) return;
  const shared = join(directory, 'shared.json');
  if (existsSync(shared)) await end(JSON.parse(readFileSync(shared, 'utf8')).pid);
  if (process.env.CONFORMANCE_KEEP) console.log(`\nkept: ${directory}`);
  else rmSync(directory, { recursive: true, force: true });
};

const end = async (pid) => {
  try {
    process.kill(pid, 'SIGTERM');
    for (let i = 0; i < 50; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      process.kill(pid, 0);
    }
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
};
