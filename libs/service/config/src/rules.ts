import { isIP } from 'node:net';

import { ValidateBy, ValidateIf } from 'class-validator';

import { redisAddresses } from './redis-addresses.js';

/** An absent value passes the rules of its setting. */
export const Absent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** Addresses and networks: `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
export const IsNetworks = (): PropertyDecorator =>
  ValidateBy({
    name: 'isNetworks',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every(isNetwork),
      defaultMessage: () => '$property must list IP addresses or networks such as 10.0.0.0/8',
    },
  });

const isNetwork = (text: unknown): boolean => {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(String(text)) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(length ?? 0) <= (version === 4 ? 32 : 128);
};

/** Addresses, networks and names of hosts: `10.0.0.0/8`, `tsa.example`. */
export const IsTargets = (): PropertyDecorator =>
  listOf('isTargets', (text) => isNetwork(text) || HOST_NAME.test(text), 'addresses, networks and names of hosts');

const HOST_NAME = /^(?=.{1,253}$)(?!.*\.\d+$)(?!\d+$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i;

/** What the header `Host` may name: `sandbox`, `sandbox:3000`, `172.17.0.1`, `[fd00::1]:3000`. None may be listed. */
export const IsHosts = (): PropertyDecorator =>
  ValidateBy({
    name: 'isHosts',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every((one) => isHost(String(one))),
      defaultMessage: () => '$property must list names of hosts such as sandbox or host.docker.internal:3000',
    },
  });

const isHost = (text: string): boolean => {
  const [, name = '', bracketed, port = '1'] = /^(\[([^\]]+)\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isNamed = bracketed === undefined ? isIP(name) === 4 || HOST_NAME.test(name) : isIP(bracketed) === 6;
  return isNamed && Number(port) >= 1 && Number(port) <= 65_535;
};

/** The address of a proxy: http or https, without a path. */
export const IsProxyAddress = (): PropertyDecorator =>
  ValidateBy({
    name: 'isProxyAddress',
    validator: {
      validate: (value: unknown) => URL.parse(String(value))?.pathname === '/',
      defaultMessage: () => '$property must be an http or https address without a path',
    },
  });

/** Addresses of Kafka brokers: `kafka-1:9092`, `[fd00::1]:9092`. */
export const IsBrokers = (): PropertyDecorator => listOf('isBrokers', isBroker, 'brokers such as kafka-1:9092');

/** Addresses of HTTP services. */
export const IsHttpUrls = (): PropertyDecorator =>
  listOf('isHttpUrls', (text) => ['http:', 'https:'].includes(protocolOf(text)), 'http or https addresses');

/** The address of Redis, with or without TLS, with one host or several. */
export const IsRedisUrl = (): PropertyDecorator => addressOf('isRedisUrl', ['redis:', 'rediss:'], 'redis://host:6379', redisAddresses);

/** The address of a PostgreSQL database. */
export const IsPostgresUrl = (): PropertyDecorator =>
  addressOf('isPostgresUrl', ['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/database');

const addressOf = (
  name: string,
  protocols: readonly string[],
  example: string,
  addresses: (text: string) => readonly string[] = (text) => [text],
): PropertyDecorator =>
  ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => addresses(String(value)).every((address) => protocols.includes(protocolOf(address))),
      defaultMessage: () => `$property must be an address such as ${example}`,
    },
  });

const listOf = (name: string, isOne: (text: string) => boolean, expected: string): PropertyDecorator =>
  ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.length > 0 && value.every((one) => isOne(String(one))),
      defaultMessage: () => `$property must list ${expected}`,
    },
  });

const isBroker = (text: string): boolean => {
  const url = URL.parse(`kafka://${text}`);
  return url !== null && url.hostname !== '' && url.port !== '' && `kafka://${text}` === `kafka://${url.host}`;
};

/** The protocol of an address with a host; empty for any other text. */
const protocolOf = (text: string): string => {
  const url = URL.parse(text);
  return url?.hostname ? url.protocol : '';
};
