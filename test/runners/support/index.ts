export { describeRunner, type TestRunner } from './describe-runner.js';
export { newMavenProject } from './maven-project.js';
export { ageNodeOf, newNodeProject } from './node-project.js';
export { nodeTests } from './node-tests.js';
export { REPOSITORY } from './packages.js';
export { newPythonProject, SITE } from './python-project.js';
export { type Command, run, succeed } from './run.js';
export { installedSandbox } from './sandbox-command.js';
