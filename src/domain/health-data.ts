import type { HealthObject } from '@kitlane/display/audit-action'

export type { HealthObject }

/** One request that read or changed health data. */
export interface HealthAccess {
  verb: 'read' | 'listed' | 'changed'
  object: HealthObject
  /** At least one; `*` where the answer is a file of everything that fits. */
  ids: readonly string[]
  details: Record<string, unknown>
}
