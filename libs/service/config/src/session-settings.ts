import { Max, Min } from 'class-validator';

import { AddressSettings } from './address-settings.js';
import { isGuarded } from './environment.js';
import { flag, integer, list } from './formats.js';
import { IsHosts, IsNetworks } from './rules.js';
import { Setting } from './setting.decorator.js';

const unlessGuarded = ({ environment }: AddressSettings): string => String(!isGuarded(environment));

/** The lifetimes of sessions and of their parts, in seconds, and the settings for development alone. */
export class SessionSettings extends AddressSettings {
  @Setting({ env: 'SESSION_TTL', as: integer, fallback: '120', meaning: 'How long a session may wait for its confirmation.' })
  @Min(1)
  readonly sessionTtl!: number;

  @Setting({ env: 'PUSH_SESSION_TTL', as: integer, fallback: '300', meaning: 'The same with `push`.' })
  @Min(1)
  readonly pushSessionTtl!: number;

  @Setting({ env: 'CODE_TTL', as: integer, fallback: '60', meaning: 'How long an authorization code is valid after the confirmation.' })
  @Min(1)
  readonly codeTtl!: number;

  @Setting({ env: 'HANDOFF_TTL', as: integer, fallback: '60', meaning: 'How long a handoff token is valid after the creation of its session.' })
  @Min(1)
  readonly handoffTtl!: number;

  @Setting({
    env: 'SIGNING_BUILD_TTL',
    as: integer,
    fallback: '60',
    meaning: 'How long building a container may take after the confirmation.',
  })
  @Min(1)
  readonly signingBuildTtl!: number;

  @Setting({ env: 'RESULT_RETENTION', as: integer, fallback: '1800', meaning: 'How long the result of a signature can be fetched.' })
  @Min(1)
  readonly resultRetention!: number;

  @Setting({
    env: 'SESSION_RETENTION',
    as: integer,
    fallback: '2592000',
    meaning: 'How long a session is stored after its end; then it is deleted for ever. A session that can still be read is not deleted.',
  })
  @Min(1)
  readonly sessionRetention!: number;

  @Setting({
    env: 'LOGO_APPROVAL',
    as: flag,
    fallback: ({ environment }: SessionSettings) => String(isGuarded(environment)),
    fallbackText: '`false` in `development` and `test`, else `true`',
    meaning: 'Whether staff approves the logo of a client before people see it.',
  })
  readonly logoApproval!: boolean;

  @Setting({
    env: 'SANDBOX',
    as: flag,
    fallback: unlessGuarded,
    fallbackText: '`true` in `development` and `test`, else `false`',
    meaning: 'Scripted phones, a movable clock and faults under `/sandbox/v1`.',
  })
  readonly sandbox!: boolean;

  @Setting({
    env: 'SANDBOX_ALLOWED_NETWORKS',
    as: list,
    fallback: ',',
    fallbackText: 'none',
    meaning:
      'Networks whose machines may use the sandbox besides this one, such as that of the containers beside a test. Judged by the address of the connection; what a proxy forwards is refused. Nothing wider than /8 (IPv6: /16).',
  })
  @IsNetworks()
  readonly sandboxAllowedNetworks!: readonly string[];

  @Setting({
    env: 'SANDBOX_ALLOWED_HOSTS',
    as: list,
    fallback: ',',
    fallbackText: 'none',
    meaning:
      'Names by which requests may address the sandbox besides `localhost` and loopback addresses, as in the header `Host`: `sandbox`, `host.docker.internal:3000`. Without a port: on every one.',
  })
  @IsHosts()
  readonly sandboxAllowedHosts!: readonly string[];

  @Setting({
    env: 'WEBHOOK_LISTENING',
    as: flag,
    fallback: unlessGuarded,
    fallbackText: '`true` in `development` and `test`, else `false`',
    meaning:
      'Whether a client may read the events of its sessions over a connection of its own, as `countersign listen` and `countersign sessions tail` do.',
  })
  readonly webhookListening!: boolean;

  @Setting({
    env: 'DEMO',
    as: flag,
    fallback: unlessGuarded,
    fallbackText: '`true` in `development` and `test`, else `false`',
    meaning: 'A demo relying party with a client of its own and test identities.',
  })
  readonly demo!: boolean;

  @Setting({
    env: 'DEMO_PORT',
    as: integer,
    fallback: ({ port }: SessionSettings) => String(port < 65_535 ? port + 1 : port - 1),
    fallbackText: '`$PORT` + 1',
    meaning: 'Where the demo relying party listens.',
  })
  @Min(1)
  @Max(65535)
  readonly demoPort!: number;
}
