import { PYTHON_WITH_PYTEST } from '#testkit/programs/pytest/build';

import { type Command, describeRunner, installedSandbox, newPythonProject, SITE } from './support/index.js';

const sandbox = await installedSandbox();
const SAY_ADDRESS = "    print('\\nat', countersign_sandbox.url, flush=True, file=sys.__stderr__)\n";
const says = `import sys\n\ndef test_it(countersign_sandbox):\n${SAY_ADDRESS}`;

/** `program`: that starts the sandbox. */
const commandWith = (program: string, cwd: string, files: readonly string[] = []): Command => ({
  words: [
    PYTHON_WITH_PYTEST,
    '-m',
    'pytest',
    '-p',
    'no:cacheprovider',
    '--capture',
    'no',
    '-n',
    '2',
    ...(files.length > 0 ? files : ['test_login.py']),
  ],
  cwd,
  env: { PYTHONPATH: SITE, COUNTERSIGN_SANDBOX_COMMAND: program },
});

describeRunner({
  name: 'pytest',
  tests: 3,
  project: newPythonProject,
  command: (cwd, ...files) => commandWith(sandbox.command, cwd, files),
  withOldNode: (cwd) => commandWith(sandbox.withOldNode, cwd),
  addresses: [
    ['test_one.py', says],
    ['test_two.py', says],
  ],
  wrong: [
    'test_wrong.py',
    `from test_login import shop

def test_expects_nobody(countersign_sandbox, shop):
    session = {}
    shop.callback(session, countersign_sandbox.log_in(shop.login(session)).redirect)
    assert session["subject"] == "nobody"
`,
  ],
  endless: ['test_endless.py', `import sys, threading\n\ndef test_it(countersign_sandbox):\n${SAY_ADDRESS}    threading.Event().wait()\n`],
});
