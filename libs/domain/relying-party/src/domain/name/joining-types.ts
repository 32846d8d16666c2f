/*!
 * Written by tools/joining-types/generate.ts from the data files DerivedJoiningType.txt and DerivedCombiningClass.txt of Unicode 17, in a shorter form.
 *
 * UNICODE LICENSE V3
 *
 * COPYRIGHT AND PERMISSION NOTICE
 *
 * Copyright © 1991-2025 Unicode, Inc.
 *
 * NOTICE TO USER: Carefully read the following legal agreement. BY
 * DOWNLOADING, INSTALLING, COPYING OR OTHERWISE USING DATA FILES, AND/OR
 * SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE
 * TERMS AND CONDITIONS OF THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT
 * DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of data files and any associated documentation (the "Data Files") or
 * software and any associated documentation (the "Software") to deal in the
 * Data Files or Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, and/or sell
 * copies of the Data Files or Software, and to permit persons to whom the
 * Data Files or Software are furnished to do so, provided that either (a)
 * this copyright and permission notice appear with all copies of the Data
 * Files or Software, or (b) this copyright and permission notice appear in
 * associated Documentation.
 *
 * THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY
 * KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
 * MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF
 * THIRD PARTY RIGHTS.
 *
 * IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE
 * BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES,
 * OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
 * WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
 * ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA
 * FILES OR SOFTWARE.
 *
 * Except as contained in this notice, the name of a copyright holder shall
 * not be used in advertising or otherwise to promote the sale, use or other
 * dealings in these Data Files or Software without prior written
 * authorization of the copyright holder.
 *
 * SPDX-License-Identifier: Unicode-3.0
 */

/** Letters that join the letter after them: Joining_Type D and L. Ranges of code points in hex. */
export const JOIN_NEXT = [
  '0620 0626 0628 062a-062e 0633-063f 0641-0647 0649-064a 066e-066f 0678-0687 069a-06bf 06c1-06c2 06cc 06ce 06d0-06d1 06fa-06fc 06ff',
  '0712-0714 071a-071d 071f-0727 0729 072b 072d-072e 074e-0758 075c-076a 076d-0770 0772 0775-0777 077a-077f 07ca-07ea 0841-0845 0848',
  '084a-0853 0855 0860 0862-0865 0868 0886 0889-088d 088f 08a0-08a9 08af-08b0 08b3-08b8 08ba-08c8 1820-1878 1887-18a8 18aa a840-a872',
  '10ac0-10ac4 10acd 10ad3-10adc 10ade-10ae0 10b80 10b82 10b86-10b88 10b8a-10b8b 10b8d 10b90 10d00-10d21 10d23 10ec3-10ec4',
  '10ec6-10ec7 10f30-10f32 10f34-10f44 10f70-10f73 10f76-10f81 10fb0 10fb2-10fb3 10fb8 10fbb-10fbc 10fbe-10fbf 10fc1 10fc4',
  '1e900-1e943',
].join(' ');

/** Letters that join the letter before them: Joining_Type D and R. */
export const JOIN_BEFORE = [
  '0620 0622-063f 0641-064a 066e-066f 0671-0673 0675-06d3 06d5 06ee-06ef 06fa-06fc 06ff 0710 0712-072f 074d-077f 07ca-07ea 0840-0858',
  '0860 0862-0865 0867-086a 0870-0882 0886 0889-088f 08a0-08ac 08ae-08c8 1820-1878 1887-18a8 18aa a840-a871 10ac0-10ac5 10ac7',
  '10ac9-10aca 10ace-10ad6 10ad8-10ae1 10ae4 10b80-10b91 10d01-10d23 10ec2-10ec4 10ec6-10ec7 10f30-10f44 10f70-10f81 10fb0',
  '10fb2-10fb6 10fb8-10fbf 10fc1-10fc4 1e900-1e943',
].join(' ');

/** Signs that end a syllable without a vowel: Canonical_Combining_Class 9. */
export const VIRAMAS = [
  '094d 09cd 0a4d 0acd 0b4d 0bcd 0c4d 0ccd 0d3b-0d3c 0d4d 0dca 0e3a 0eba 0f84 1039-103a 1714-1715 1734 17d2 1a60 1b44 1baa-1bab',
  '1bf2-1bf3 2d7f a806 a82c a8c4 a953 a9c0 aaf6 abed 10a3f 11046 11070 1107f 110b9 11133-11134 111c0 11235 112ea 1134d 113ce-113d0',
  '11442 114c2 115bf 1163f 116b6 1172b 11839 1193d-1193e 119e0 11a34 11a47 11a99 11c3f 11d44-11d45 11d97 11f41-11f42 1612f',
].join(' ');
