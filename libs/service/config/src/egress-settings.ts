import { flag, httpUrl, list, text } from './formats.js';
import { Absent, IsProxyAddress, IsTargets } from './rules.js';
import { Setting } from './setting.decorator.js';
import { TrustServiceSettings } from './trust-service-settings.js';

/** How calls to addresses of the internet leave the network. */
export class EgressSettings extends TrustServiceSettings {
  @Setting({
    env: 'EGRESS_PROXY',
    as: httpUrl,
    meaning:
      'Forward proxy for webhooks, pushes and calls of trust services, such as `http://proxy.example:3128`: each connection is a CONNECT to an address that was looked up and checked here ([operator.md](operator.md#a-proxy-for-calls-to-the-internet)). Unset: direct connections. `HTTPS_PROXY` and its kind are not read.',
  })
  @Absent()
  @IsProxyAddress()
  readonly egressProxy?: string;

  @Setting({
    env: 'EGRESS_PROXY_LOGIN_FILE',
    as: text,
    meaning: 'File with `user:password` for `EGRESS_PROXY`, by Basic authentication. It is read again for each new connection.',
  })
  readonly egressProxyLoginFile?: string;

  @Setting({
    env: 'EGRESS_PROXY_CA_FILE',
    as: text,
    meaning:
      'File of PEM certificates: the CA of an `EGRESS_PROXY` that begins with https://. Unset: the CAs that Node trusts. It is read again for each new connection.',
  })
  readonly egressProxyCaFile?: string;

  @Setting({
    env: 'EGRESS_PROXY_RESOLVES',
    as: flag,
    fallback: 'false',
    meaning:
      'Whether the proxy gets the names of the targets and looks them up, where this machine cannot. The check of addresses is then the task of the proxy: it has to refuse private networks.',
  })
  readonly egressProxyResolves!: boolean;

  @Setting({
    env: 'EGRESS_DIRECT',
    as: list,
    fallback: '127.0.0.0/8,::1,localhost',
    meaning: 'Addresses, networks and names of hosts that are reached without `EGRESS_PROXY`, such as trust services of your own network.',
  })
  @IsTargets()
  readonly egressDirect!: readonly string[];
}
