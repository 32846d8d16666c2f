import { IsString } from 'class-validator';

import { MaxCodePoints } from '#http';

export class ScanDto {
  /** The text of the QR code, to the letter. */
  @IsString()
  @MaxCodePoints(8000)
  readonly qr!: string;
}
