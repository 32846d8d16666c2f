import { type Command, describeRunner, installedSandbox, newMavenProject } from './support/index.js';

const sandbox = await installedSandbox();

const className = (file: string): string => /(\w+)\.java$/.exec(file)![1]!;
const SAY_ADDRESS = 'System.out.println("\\nat " + sandbox.url());';
/** Both classes at the same time. */
const PARALLEL = ['enabled=true', 'mode.classes.default=concurrent'].map((setting) => `-Djunit.jupiter.execution.parallel.${setting}`);
const MAVEN = ['mvn', '-B', '--no-transfer-progress', 'test', '-Dstyle.color=never', '-Dsurefire.failIfNoSpecifiedTests=false', ...PARALLEL] as const;
const testFile = (name: string, body: string, members = ''): readonly [string, string] => [
  `shop/src/test/java/shop/${name}.java`,
  `package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import countersign.sandbox.RedirectUris;
import countersign.sandbox.Sandbox;
import countersign.sandbox.SandboxClient;
import countersign.sandbox.SandboxExtension;
import java.util.HashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SandboxExtension.class)
class ${name} {
  @Test
  void runs(Sandbox sandbox${members}) throws Exception {
    ${body}
  }
}
`,
];

/** `program`: that starts the sandbox. */
const commandWith = (program: string, cwd: string, files: readonly string[] = []): Command => ({
  words: [...MAVEN, `-Dtest=${files.length > 0 ? files.map(className).join(',') : 'LoginTest'}`],
  cwd,
  env: { COUNTERSIGN_SANDBOX_COMMAND: program },
});

describeRunner({
  name: 'JUnit',
  tests: 3,
  project: newMavenProject,
  command: (cwd, ...files) => commandWith(sandbox.command, cwd, files),
  withOldNode: (cwd) => commandWith(sandbox.withOldNode, cwd),
  addresses: [testFile('OneTest', SAY_ADDRESS), testFile('TwoTest', SAY_ADDRESS)],
  wrong: testFile(
    'WrongTest',
    `var shop = new Shop(sandbox.issuer(), client.clientId(), client.clientSecret(), client.redirectUris().get(0));
    var session = new HashMap<String, String>();
    shop.callback(session, sandbox.logIn(shop.login(session)).redirect().orElseThrow());
    assertEquals("nobody", session.get("subject"));`,
    ', @RedirectUris("http://localhost:8080/callback") SandboxClient client',
  ),
  endless: testFile('EndlessTest', `${SAY_ADDRESS}\n    Thread.sleep(Long.MAX_VALUE);`),
});
