import type { KitRecord } from './schema.ts'

/** The kits that show a person, for the audit: one that nobody has registered tells nothing about anyone's health. */
export const idsOfPersonalKits = (
  kits: readonly Pick<KitRecord, 'kitID' | 'customerID' | 'registeredToEmail'>[],
): string[] => kits.filter((kit) => kit.customerID !== undefined || kit.registeredToEmail).map(({ kitID }) => kitID)
