import type { Sentence } from '@kitlane/display/sentence'
import type { NewResult } from '@kitlane/lab-reader/identify/result'
import type { Tx } from '../../../platform/database/tx.ts'
import type { PanelRules } from '../../catalogue/eligibility.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import type { CustomerRow } from '../../customers/service.ts'
import { refusalOfRegistered } from '../../kits/for-whom.ts'
import type { KitRow } from '../../kits/queries.ts'
import { checksOf } from '../checks/checks.ts'
import type { Replaced } from '../checks/delta.ts'
import { previousResults } from '../checks/previous.ts'
import { isCriticalEntry } from '../critical/rules.ts'
import { hasUnreadFlag } from '../judge/finding.ts'
import { selectEarlierVersions } from '../review/person-queries.ts'
import { sampleTimes } from '../review/sample-facts.ts'
import type { Contradiction } from '../said-schema.ts'
import type { BiomarkerEntry, ReportStatus } from '../schema.ts'
import type { VersionContent } from '../sealed-queries.ts'

interface NewVersion {
  reportId: string | undefined
  customer: Pick<CustomerRow, 'id' | 'dateOfBirth'>
  kit?: KitRow
  /** Of the kit, where it is known. */
  panel?: PanelRules
  entries: readonly BiomarkerEntry[]
  catalogue: readonly Biomarker[]
  labErrors: readonly string[]
  origin: VersionContent['origin']
  collectedDate: string | null
  resultedDate: string | null
  replaced?: readonly Replaced[]
  contradictions?: readonly Contradiction[]
  /** Without a look at earlier reports. */
  isAlone?: boolean
}

/** The checks that keep a new version from being published without a person, each by what it is about. */
export async function holdingChecks(tx: Tx, version: NewVersion): Promise<string[]> {
  const { reportId, customer, kit, entries, origin, collectedDate, resultedDate, replaced } = version
  const today = tx.now.toISOString().slice(0, 10)
  const on = (collectedDate ?? resultedDate ?? today).slice(0, 10)
  const others = { customerId: customer.id, ...(reportId && { reportId }), on }
  const earlier = version.isAlone ? [] : await selectEarlierVersions(tx, others)
  const { collected, received } = sampleTimes({ collectedDate, origin, kit })
  const checks = checksOf({
    entries,
    catalogue: version.catalogue,
    labErrors: version.labErrors,
    origin: origin ?? undefined,
    collected,
    received,
    today,
    previous: previousResults(entries, earlier),
    resulted: resultedDate ?? undefined,
    born: customer.dateOfBirth ?? undefined,
    kitMade: kit?.createdAt.toISOString().slice(0, 10),
    ...(replaced && { replaced }),
    contradictions: version.contradictions,
    refusal: kit && (await refusalOfRegistered(tx, kit, version.panel)),
  })
  return checks.flatMap(({ holds, code, biomarkers }) => (holds ? [`${code} ${biomarkers.join(' ')}`] : []))
}

/** Whether checks doubt the sample: each of its results is in doubt, also those that were published. */
export const doubtsSample = (holding: readonly string[]): boolean =>
  holding.some((one) => /^(?:haemolysis|annulled) /.test(one))

/** Whether a version has a finding that needs a person and that the version before did not have. */
function hasNewHolding(before: readonly BiomarkerEntry[], after: readonly BiomarkerEntry[]): boolean {
  const known = new Map(before.map(({ id, finding }) => [id, finding?.value]))
  return after.some(({ id, finding, holdsReport }) => holdsReport && known.get(id) !== finding?.value)
}

// What was known of a published version holds none that only takes results off it.
const UNSEEN = /^(?:haemolysis|annulled|saidOtherwise) /

/**
 * Whether checks keep a version for a person, though the one before was published: each does, where it has other or more results. But for
 * `dates`: with each part of the results the kit is ready later, so that a receipt that was only filled in looks like a real one.
 */
export const holdsLater = (holding: readonly string[], results: readonly NewResult[]): boolean =>
  results.length > 0 ? holding.some((one) => !one.startsWith('dates ')) : holding.some((one) => UNSEEN.test(one))

/** Whether a person reads a new version before anybody, though a version before it was published. */
export const mustBeRead = (
  before: readonly BiomarkerEntry[],
  after: readonly BiomarkerEntry[],
  checks: { holding: readonly string[]; results: readonly NewResult[] },
): boolean => hasNewHolding(before, after) || holdsLater(checks.holding, checks.results)

/**
 * Whether a new version is published by itself, at once or when its critical results are acknowledged: by one rule, the same as if they
 * were not critical. `isOut`: the version before is published. `holds`: something other than a critical result keeps it for a person.
 */
export function publishesItself(
  before: readonly BiomarkerEntry[],
  after: readonly BiomarkerEntry[],
  { isAuto, isOut = false, isUnread = false, holds }: Record<'isAuto' | 'holds', boolean> & Unread,
): { now: boolean; onceAcknowledged: boolean } {
  const isFree = !isUnread && (isOut || (isAuto && !holds && !after.some(hasUnreadFlag)))
  const isCritical = after.some(isCriticalEntry)
  return {
    now: isFree && !(isOut ? hasNewHolding(before, after) : isCritical),
    onceAcknowledged: isFree && isCritical,
  }
}

interface Unread {
  isOut?: boolean
  isUnread?: boolean
}

/** Results of a sample that come again with another value, though the laboratory does not say that it corrects them. */
export function replacedWithoutWord(
  previous: readonly BiomarkerEntry[],
  entries: readonly BiomarkerEntry[],
  {
    results,
    corrected = false,
    reason,
  }: { results: readonly NewResult[]; corrected?: boolean | undefined; reason?: Sentence | undefined },
): Replaced[] {
  // A corrected message without a corrected result corrects all of them; a person who gives a reason does, too.
  const isWhole = corrected ? !results.some(({ isCorrected }) => isCorrected) : reason !== undefined
  return results.flatMap(({ biomarkerId, isCorrected }) => {
    const before = previous.find(({ id, type }) => id === biomarkerId && type === 'measured')
    const entry = entries.find(({ id }) => id === biomarkerId)
    // A preliminary value is to be replaced.
    return before && !before.preliminary && entry && !isWhole && !isCorrected ? [{ entry, before }] : []
  })
}

/** What a new version keeps of the values that were replaced so, for as long as no person has read the report. */
export function unreadReplaced(
  before:
    | { status: ReportStatus; entries: readonly BiomarkerEntry[]; replaced?: VersionContent['replaced'] }
    | undefined,
  entries: readonly BiomarkerEntry[],
  replaced: readonly Replaced[],
): Pick<VersionContent, 'replaced'> {
  const fresh = replaced.map((one) => one.before)
  const rawOf = (all: readonly BiomarkerEntry[], id: string) => all.find((one) => one.id === id)?.rawResult
  const older = before?.status === 'inReview' ? (before.replaced ?? []) : []
  const open = older.filter(({ id }) => rawOf(before?.entries ?? [], id) === rawOf(entries, id))
  const all = [...open, ...fresh]
  return all.length > 0 ? { replaced: all } : {}
}
