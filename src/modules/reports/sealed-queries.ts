import type { Kept } from '@kitlane/display/sentence'
import type { Origin } from '@kitlane/lab-reader/parse/origin'
import { type RawBuilder, sql } from 'kysely'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { wordsOf } from '../../platform/sealing/packing.ts'
import { NEVER, type RowKey, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import summaryWords from './data/summary-words-1.json' with { type: 'json' }
import words from './data/words-1.json' with { type: 'json' }
import { summaryOf, type VersionSummary } from './rules.ts'
import type { Contradiction } from './said-schema.ts'
import type { AxisEntry, BiomarkerEntry, KeptSuggestion, KeptWithdrawn } from './schema.ts'

/** What a version of a report says. */
export interface VersionContent {
  entries: readonly BiomarkerEntry[]
  axes: AxisEntry[]
  suggestions: KeptSuggestion[]
  labErrors: string[]
  withdrawn: readonly KeptWithdrawn[]
  /** Why there is a new version. */
  reason: string | null
  reasonKept?: Kept | null
  /** What results of this sample were before the laboratory sent others without a correction: a reviewer sees both. */
  replaced?: readonly BiomarkerEntry[] | undefined
  /** Whose its results are was doubtful, and no person has read it since. */
  isDoubted?: boolean | undefined
  /** When the sample was taken, where only its person says so. */
  collectedSaid?: string | undefined
  /** What laboratory and person say differently. */
  contradictions?: readonly Contradiction[] | undefined
  /** Where the results come from; absent in versions before it was kept. */
  origin?: Origin | null
}

const key = { report_id: 'text', version: 'integer' }

/** Has no form in clear: a row without a summary has its content in clear. */
const sealedSummaries = sealedColumns<VersionSummary>({
  table: 'report_versions',
  column: 'sealed_summary',
  key,
  clear: {
    critical: '',
    outOfRange: '',
    unusable: '',
    axes: '',
    results: '',
    findings: '',
    withdrawn: '',
    laboratory: '',
  },
  emptied: [],
  words: [wordsOf(summaryWords)],
})

/** One value holds all results of a version. Versions before sealing have a row of `report_results` for each. */
export const sealedVersions = sealedColumns<VersionContent>({
  table: 'report_versions',
  key,
  clear: {
    entries: `(select coalesce(json_agg(x.judged order by x.position), '[]') from report_results x
      where x.realm_id = $.realm_id and x.report_id = $.report_id and x.version = $.version)`,
    axes: 'axes',
    suggestions: 'suggestions',
    labErrors: 'lab_errors',
    withdrawn: 'withdrawn',
    reason: 'reason',
    reasonKept: NEVER,
    origin: NEVER,
    replaced: NEVER,
    isDoubted: NEVER,
    collectedSaid: NEVER,
    contradictions: NEVER,
  },
  emptied: ['axes', 'suggestions', 'lab_errors', 'withdrawn', 'reason'],
  derived: {
    sealed_summary: {
      type: 'bytea',
      of: (content, keys, place) => sealedSummaries.seal(keys, place, summaryOf(content)),
    },
  },
  isDeflated: true,
  words: [wordsOf(words)],
  // Each is a millisecond of this process.
  rowsAtOnce: 10,
})

/** What a version of a report is sealed by. */
export const versionKey = (reportId: string, version: number) => [reportId, version] as const

/** The SQL of a version's summary, or of its whole content where that is in clear. */
export const summarySql = (alias: string): RawBuilder<SealedSummary> =>
  sql`coalesce(to_json(${sql.ref(`${alias}.sealed_summary`)}::text), ${sealedVersions.of(alias)})`

/** A summary as it is read: sealed, or the content of a version in clear. */
export type SealedSummary = Sealed<VersionContent>

export const openSummary = (keys: Keyring, key: RowKey, value: SealedSummary): VersionSummary =>
  typeof value === 'string' ? sealedSummaries.open(keys, key, value) : summaryOf(value)
