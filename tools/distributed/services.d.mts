export declare const services: readonly { readonly name: string; readonly replicas: number; readonly upstream?: string }[];
