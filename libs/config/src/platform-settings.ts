export class PlatformSettings {}
