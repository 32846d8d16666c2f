import type { EndpointId } from '#kernel';
import type { ReadModel } from '#read-model';

import type { ClientTables } from './clients-projection.js';

const PAGE = 500;

/** All webhook endpoints that were ever added, in the order of their addition, read in pages. Throws {@link ReadModelsUnavailable}. */
export const webhookEndpointIds = async function* (model: ReadModel<ClientTables>): AsyncGenerator<EndpointId, void, void> {
  for (let after = -1; ;) {
    const rows = await model.read((database) =>
      database.selectFrom('client_endpoints_v1').select(['endpoint_id', 'place']).where('place', '>', after).orderBy('place').limit(PAGE).execute(),
    );
    for (const row of rows) yield row.endpoint_id;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.place;
  }
};
