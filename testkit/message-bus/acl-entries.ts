import type { AclEntry } from 'kafkajs';

/** The rules that kafka-acls adds for one line of arguments, as in `deploy/rights/kafka.sh`. */
export const aclEntries = (line: string): readonly AclEntry[] => {
  const words = line.split(' ');
  const after = (option: string): readonly string[] => words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  const [principal = ''] = after('--allow-principal');
  const [topic] = after('--topic');
  const [group] = after('--group');
  const [pattern = 'literal'] = after('--resource-pattern-type');
  return after('--operation').map((operation) => ({
    principal,
    host: '*',
    operation: OPERATIONS[operation as keyof typeof OPERATIONS],
    permissionType: 3,
    resourceType: topic === undefined ? 3 : 2,
    resourceName: topic ?? group ?? '',
    resourcePatternType: pattern === 'prefixed' ? 4 : 3,
  }));
};

/** Numbers of the Kafka protocol. kafkajs has enumerations for them, but its ESM import does not export their names. */
const OPERATIONS = { Read: 3, Write: 4, Create: 5, Delete: 6, Describe: 8, DescribeConfigs: 10, AlterConfigs: 11 } as const;
