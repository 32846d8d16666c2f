/** Listeners of a broker for clients with credentials. The listener without them stays for the brokers and for the test, and may do everything. */
export interface SecureListeners {
  /** Free ports. */
  readonly saslPort: number;
  readonly mutualTlsPort: number;
  /** PEM files: the CA of all certificates, and the broker's certificate with its key. */
  readonly caFile: string;
  readonly bothFile: string;
  /** Passwords by user, for SASL PLAIN and SCRAM-SHA-512. */
  readonly users: Readonly<Record<string, string>>;
  /** Users that may do everything, as `User:name` or `User:CN=name`; all others need access lists. */
  readonly superUsers: readonly string[];
}

/** In a file of properties, the last line of a name counts. */
export const secureProperties = (
  { saslPort, mutualTlsPort, caFile, bothFile, users, superUsers }: SecureListeners,
  { port, controllerPort }: { readonly port: number; readonly controllerPort: number },
): string => {
  const plainUsers = Object.entries(users).map(([name, password]) => `user_${name}="${password}"`);
  const open = [`PLAINTEXT://127.0.0.1:${port}`, `SASL://localhost:${saslPort}`, `MUTUAL://localhost:${mutualTlsPort}`].join(',');
  return `listeners=${open.replaceAll('localhost', '127.0.0.1')},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=${open}
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL:SASL_SSL,MUTUAL:SSL
listener.name.sasl.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512
listener.name.sasl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required ${plainUsers.join(' ')};
listener.name.sasl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.mutual.ssl.client.auth=required
ssl.keystore.type=PEM
ssl.keystore.location=${bothFile}
ssl.truststore.type=PEM
ssl.truststore.location=${caFile}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=${['User:ANONYMOUS', ...superUsers].join(';')}
`;
};

/** Options of the formatting, which stores the users of SCRAM. */
export const scramUsers = ({ users }: SecureListeners): readonly string[] =>
  Object.entries(users).flatMap(([name, password]) => ['--add-scram', `SCRAM-SHA-512=[name=${name},password=${password}]`]);
