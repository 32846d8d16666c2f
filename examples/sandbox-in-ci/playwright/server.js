import { shop } from './shop.js';

const { COUNTERSIGN_SANDBOX_URL: baseUrl, ORIGIN: origin, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env;
shop({ baseUrl, loginUrl: `${baseUrl}/login`, origin, clientId, clientSecret }).listen(Number(new URL(origin).port));
