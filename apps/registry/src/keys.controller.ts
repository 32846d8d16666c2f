import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import type { ShownMigrations } from '#domain/identity';
import { epochSeconds } from '#kernel';
import type { Platform } from '#service/platform';

interface KeyList {
  /** The key in use of each purpose. */
  readonly keys: readonly {
    /** token, pin, data or event. */
    readonly purpose: string;
    /** Epoch seconds. */
    readonly since: number;
  }[];
  /** While the subject key is rotated. */
  readonly subjectMigration?: Required<Pick<ShownMigrations, 'changesAt' | 'endsAt'>>;
}

/** Gives the controller the keys of the process. */
export class KeyAges {
  constructor(readonly keys: Pick<Platform['keys'], 'ages' | 'subject'>) {}
}

/** Since when the keys are in use: no key, no fingerprint (specification/admin.md#keys). */
@ApiBearerAuth('admin')
@Controller('admin/v1/keys')
export class KeysController {
  constructor(private readonly keyAges: KeyAges) {}

  @Get()
  list(): KeyList {
    const { keys } = this.keyAges;
    const migration = keys.subject.migration();
    return {
      keys: keys.ages().map(({ purpose, since }) => ({ purpose, since: epochSeconds(since) })),
      ...(migration && { subjectMigration: { changesAt: epochSeconds(migration.changesAt), endsAt: epochSeconds(migration.endsAt) } }),
    };
  }
}
