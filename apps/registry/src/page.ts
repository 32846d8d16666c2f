import { type Brand, type PageRequest, parseId } from '#kernel';

import type { PageDto } from './page.dto.js';

export const pageRequest = <Id extends Brand<string, string>>({ limit, after }: PageDto): PageRequest<Id> => ({ limit, after: parseId<Id>(after) });
