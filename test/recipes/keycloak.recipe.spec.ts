import { SAML } from '@node-saml/node-saml';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as client from 'openid-client';
import { parse } from 'yaml';

import { Keycloak } from './support/keycloak.js';
import { type Person, type Recipe, recipeOf, type Shown } from './support/index.js';

const REALM = 'shop';
const CALLBACK = 'https://application.example/callback';
const SERVICE_PROVIDER = 'https://service-provider.example';
const EMAIL = 'mari@person.example';

/** The first part of a page that the expression names, with the entities of attributes replaced. */
const inPage = ({ text }: Shown, expression: RegExp): string => (expression.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');

describe('Keycloak as a broker', () => {
  let keycloak: Keycloak;
  let recipe: Recipe;
  let person: Person;
  beforeAll(async () => {
    const url = await Keycloak.reserve();
    recipe = await recipeOf('Keycloak', url, { path: { REALM } });
    keycloak = await Keycloak.start(url);
    await keycloak.ask('POST', '', {
      realm: REALM,
      enabled: true,
      sslRequired: 'none',
      clients: [
        { clientId: 'application', secret: 'of the application', redirectUris: [CALLBACK], protocol: 'openid-connect', publicClient: false },
        {
          clientId: SERVICE_PROVIDER,
          redirectUris: [`${SERVICE_PROVIDER}/*`],
          protocol: 'saml',
          attributes: {
            'saml.assertion.signature': 'true',
            'saml.server.signature': 'true',
            'saml.client.signature': 'false',
            saml_force_name_id_format: 'true',
            saml_name_id_format: 'persistent',
          },
        },
      ],
    });
    const settings = parse(recipe.settings) as { readonly config: object };
    const config = { ...settings.config, clientSecret: recipe.shop.clientSecret };
    await keycloak.ask('POST', `/${REALM}/identity-provider/instances`, { ...settings, enabled: true, config });
    person = recipe.person();
  });
  afterAll(() => keycloak?.[Symbol.asyncDispose]());

  it('logs in with the settings of the portal, and brings the person to an application behind it', async () => {
    const options = { execute: [client.allowInsecureRequests] };
    const config = await client.discovery(new URL(`${keycloak.url}/realms/${REALM}`), 'application', 'of the application', undefined, options);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const parameters = {
      redirect_uri: CALLBACK,
      scope: 'openid profile',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      kc_idp_hint: 'countersign',
    };
    // At the first login Keycloak asks for the address that the scope did not bring.
    const form = await person.open(client.buildAuthorizationUrl(config, parameters));
    const fields = Object.fromEntries(
      ['username', 'firstName', 'lastName'].map((name) => [name, inPage(form, new RegExp(`name="${name}"[^>]*value="([^"]*)"`))]),
    );
    expect(fields).toMatchObject({ firstName: expect.stringMatching(/./), lastName: expect.stringMatching(/./) });
    const body = new URLSearchParams({ ...fields, email: EMAIL });
    const back = await person.follow(inPage(form, /action="([^"]+)"/), CALLBACK, { method: 'POST', body });
    const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier, idTokenExpected: true });
    expect(tokens.claims()).toMatchObject({ given_name: fields['firstName'], family_name: fields['lastName'] });
    const [user] = (await keycloak.ask('GET', `/${REALM}/users?email=${EMAIL}`)) as { readonly id: string }[];
    const links = await keycloak.ask('GET', `/${REALM}/users/${user!.id}/federated-identity`);
    expect(links).toEqual([expect.objectContaining({ identityProvider: 'countersign', userId: expect.stringMatching(/^[0-9a-f-]{36}$/) })]);
  });

  it('brings the person by SAML to an application that knows nothing else', async () => {
    const { keys } = (await keycloak.ask('GET', `/${REALM}/keys`)) as {
      readonly keys: readonly { readonly algorithm: string; readonly certificate: string }[];
    };
    const callbackUrl = `${SERVICE_PROVIDER}/acs`;
    const saml = new SAML({
      issuer: SERVICE_PROVIDER,
      entryPoint: `${keycloak.url}/realms/${REALM}/protocol/saml`,
      callbackUrl,
      idpCert: keys.find(({ algorithm }) => algorithm === 'RS256')!.certificate,
      identifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      audience: SERVICE_PROVIDER,
    });
    const page = await person.open(await saml.getAuthorizeUrlAsync('', undefined, {}));
    expect(inPage(page, /action="([^"]+)"/i)).toBe(callbackUrl);
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: inPage(page, /name="SAMLResponse" value="([^"]+)"/i) });
    expect(profile).toMatchObject({ issuer: `${keycloak.url}/realms/${REALM}`, nameID: expect.stringMatching(/./) });
  });
});
