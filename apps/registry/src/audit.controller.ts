import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';

import { type AuditEntry, ListAuditEntries } from '#domain/administration';
import { epochSeconds } from '#kernel';

import { AuditDto } from './audit.dto.js';

interface ShownEntry extends Omit<AuditEntry, 'at'> {
  /** Epoch seconds. */
  readonly at: number;
}

interface AuditPage {
  /** Newest first. */
  readonly entries: readonly ShownEntry[];
  /** With `proofs`: the signed checkpoint that they are of. */
  readonly checkpoint?: string;
  /** The value of `after` that returns the next page. Absent on the last page. */
  readonly next?: number;
}

/** Who has changed what (specification/admin.md#audit-trail). */
@ApiBearerAuth('admin')
@Controller('admin/v1/audit')
export class AuditController {
  constructor(private readonly listEntries: ListAuditEntries) {}

  @Get()
  async list(@Query() { limit, after, proofs }: AuditDto): Promise<AuditPage> {
    const { entries, ...others } = await this.listEntries.execute({ limit, after, proofs: proofs === 'true' });
    return { entries: entries.map((entry) => ({ ...entry, at: epochSeconds(entry.at) })), ...others };
  }
}
