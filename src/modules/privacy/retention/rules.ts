/** What the records of an erased person are kept as. `other` needs no keeping: it is kept only while a legal hold stands. */
export const retainedKinds = ['laboratory', 'requisition', 'other'] as const
export type RetainedKind = (typeof retainedKinds)[number]

/** What ends by age, of people who were not erased. */
export const agedKinds = ['laboratory', 'requisition', 'correspondence'] as const
export type AgedKind = (typeof agedKinds)[number]

/** Terms in days. Zero: not kept after an erasure. */
export interface Terms {
  /** From the last version of a report, or from when a result or a file was received. */
  laboratoryDays: number
  /** From when an order was placed, a kit registered, a consent given. */
  requisitionDays: number
  /** From when an e-mail was written, or a carrier's message received. Erasure deletes them at once. */
  correspondenceDays: number
  /** Whether records of people who were not erased end too. */
  byAge: boolean
}

/** As they are stored: null is the next layer's. */
export type StoredTerms = { [K in keyof Terms]: Terms[K] | null }

/** Two and three years, with their leap days. 42 CFR 493.1105 asks for two years of both. */
const DEFAULT_TERMS: Terms = {
  laboratoryDays: 731,
  requisitionDays: 1096,
  correspondenceDays: 366,
  byAge: false,
}

/** 45 CFR 164.316(b)(2). No month of the audit is dropped before, not even when archives are on. */
export const AUDIT_DAYS = 2192

/** The terms that hold where these are set, the first one first. */
export function termsOf(...layers: readonly (Partial<StoredTerms> | undefined)[]): Terms {
  const pick = <K extends keyof Terms>(name: K): Terms[K] =>
    (layers.find((layer) => layer?.[name] != null)?.[name] as Terms[K] | undefined) ?? DEFAULT_TERMS[name]
  return {
    laboratoryDays: pick('laboratoryDays'),
    requisitionDays: pick('requisitionDays'),
    correspondenceDays: pick('correspondenceDays'),
    byAge: pick('byAge'),
  }
}

export const DAY_MS = 24 * 3_600_000

/** What was recorded then, or before, has reached its term. */
export const dueBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

export const daysOf = (kind: RetainedKind | AgedKind, terms: Terms): number =>
  kind === 'other' ? 0 : terms[`${kind}Days`]

/** What a run found of one kind. `kept`: of erased people; else of people who were not erased. */
export interface Count {
  kind: RetainedKind | AgedKind
  of: 'erased' | 'live'
  /** How many had reached their term, held back or not. */
  due: number
  purged: number
  /** Due, and held back by a legal hold. */
  held: number
  /** Due, and held back since a report of the kit is still kept. */
  awaitingReport: number
}
