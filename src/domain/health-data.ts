/** Kinds of things that say something about a person, mostly about their health. Who reads or changes one is in the audit. */
export type HealthObject =
  | 'customer'
  | 'report'
  | 'kit'
  | 'order'
  | 'upload'
  | 'lab_message'
  | 'email'
  | 'unassessed_result'
  | 'critical_result'
  | 'shop_order'
  | 'plan'

/** One request that read or changed health data. */
export interface HealthAccess {
  verb: 'read' | 'listed' | 'changed'
  object: HealthObject
  /** At least one; `*` where the answer is a file of everything that fits. */
  ids: readonly string[]
  details: Record<string, unknown>
}
