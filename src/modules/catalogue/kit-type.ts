// One kit type has another name inside: callers know it as BASE.
const INTERNAL = 'ORIGINAL'
const PUBLIC = 'BASE'

/** The kit type as callers know it. */
export const publicKitType = (kitType: string): string => (kitType === INTERNAL ? PUBLIC : kitType)

/** The kit type as it is stored. */
export const internalKitType = (kitType: string): string => (kitType === PUBLIC ? INTERNAL : kitType)
