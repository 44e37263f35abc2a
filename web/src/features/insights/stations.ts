import type { OperatorOverview } from '../../api/operator-shapes.ts'
import { pluralize } from '../../components/pluralize.ts'
import type { Tone } from '../../components/status-label.ts'

interface Station {
  /** Of its count in the overview. */
  key: keyof OperatorOverview
  /** Below /operator. */
  path: string
  label: string
  tone: Tone
  /** What to do about so many. */
  words: (count: number) => string
}

/** What can wait for an operator. First what may harm a person, then what holds one up, then the day's work. */
export const stations: readonly Station[] = [
  {
    ...{ key: 'critical', path: 'critical', label: 'Critical results', tone: 'bad' },
    words: (count) => `Call about ${pluralize(count, 'critical result')}`,
  },
  {
    ...{ key: 'alarms', path: 'alarms', label: 'Alarms', tone: 'bad' },
    words: (count) => `Look into ${pluralize(count, 'alarm')}`,
  },
  {
    ...{ key: 'unmatched', path: 'unmatched', label: 'Results without a kit', tone: 'fair' },
    words: (count) => `Find the kit of ${pluralize(count, 'result that has none', 'results that have none')}`,
  },
  {
    ...{ key: 'unassessed', path: 'unassessed', label: 'Results not assessed', tone: 'fair' },
    words: (count) =>
      `Decide about ${pluralize(count, 'result that was not assessed', 'results that were not assessed')}`,
  },
  {
    ...{ key: 'inReview', path: 'review', label: 'Reports to review', tone: 'fair' },
    words: (count) => `Review ${pluralize(count, 'report')}`,
  },
  {
    ...{ key: 'uploadsToReview', path: 'uploads', label: 'Uploads to review', tone: 'fair' },
    words: (count) => `Check what was read from ${pluralize(count, 'upload')}`,
  },
  {
    ...{ key: 'failedEmails', path: 'mail?status=failed', label: 'E-mails not sent', tone: 'fair' },
    words: (count) => `See why ${pluralize(count, 'e-mail was not sent', 'e-mails were not sent')}`,
  },
  {
    ...{ key: 'failedJobs', path: 'jobs', label: 'Failed jobs', tone: 'fair' },
    words: (count) => `See why ${pluralize(count, 'job failed', 'jobs failed')}`,
  },
  {
    ...{ key: 'unmatchedParcels', path: 'parcels', label: 'Unknown parcels', tone: 'fair' },
    words: (count) => `Find whose ${pluralize(count, 'unknown parcel is', 'unknown parcels are')}`,
  },
  {
    ...{ key: 'lateKits', path: 'pack', label: 'Kits that are late', tone: 'fair' },
    words: (count) => `Pack ${pluralize(count, 'kit that is late', 'kits that are late')} first`,
  },
  {
    ...{ key: 'atTheDoor', path: 'intake', label: 'Samples that have arrived', tone: 'info' },
    words: (count) => `Book in ${pluralize(count, 'sample that has arrived', 'samples that have arrived')}`,
  },
  {
    ...{ key: 'toPack', path: 'pack', label: 'Kits to pack', tone: 'info' },
    words: (count) => `Pack ${pluralize(count, 'kit')}`,
  },
  {
    ...{ key: 'toReceive', path: 'intake', label: 'Samples on their way', tone: 'idle' },
    words: (count) => `Expect ${pluralize(count, 'sample that is on its way', 'samples that are on their way')}`,
  },
]

/** One line of work. */
export interface Waiting extends Pick<Station, 'key' | 'path' | 'tone'> {
  words: string
}

/** What waits, in the order of the stations. A station that the role does not have has no count. */
export const nowOf = (counts: OperatorOverview): Waiting[] =>
  stations.flatMap(({ key, path, tone, words }) => {
    const count = counts[key] ?? 0
    return count > 0 ? [{ key, path, tone, words: words(count) }] : []
  })
