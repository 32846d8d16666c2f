import { IsString } from 'class-validator';

import { MaxCodePoints } from '#service/http';

export class ScanDto {
  /** The exact text of the QR code. */
  @IsString()
  @MaxCodePoints(8000)
  readonly qr!: string;
}
