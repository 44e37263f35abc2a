import type { OperatorOverview } from '../../api/operator-shapes.ts'
import { pluralize } from '../../components/pluralize.ts'
import type { Tone } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

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
    ...{ key: 'critical', path: 'critical', label: t('Critical results'), tone: 'bad' },
    words: (count) => `Call about ${pluralize(count, t('critical result'))}`,
  },
  {
    ...{ key: 'alarms', path: 'alarms', label: t('Alarms'), tone: 'bad' },
    words: (count) => t('Look into {count, plural, one {# alarm} other {# alarms}}', { count }),
  },
  {
    ...{ key: 'unmatched', path: 'unmatched', label: t('Results without a kit'), tone: 'fair' },
    words: (count) => `Find the kit of ${pluralize(count, t('result that has none'), t('results that have none'))}`,
  },
  {
    ...{ key: 'unassessed', path: 'unassessed', label: t('Results not assessed'), tone: 'fair' },
    words: (count) =>
      `Decide about ${pluralize(count, t('result that was not assessed'), t('results that were not assessed'))}`,
  },
  {
    ...{ key: 'inReview', path: 'review', label: t('Reports to review'), tone: 'fair' },
    words: (count) => t('Review {count, plural, one {# report} other {# reports}}', { count }),
  },
  {
    ...{ key: 'uploadsToReview', path: 'uploads', label: t('Uploads to review'), tone: 'fair' },
    words: (count) => t('Check what was read from {count, plural, one {# upload} other {# uploads}}', { count }),
  },
  {
    ...{ key: 'failedEmails', path: 'mail?status=failed', label: t('E-mails not sent'), tone: 'fair' },
    words: (count) => `See why ${pluralize(count, t('e-mail was not sent'), t('e-mails were not sent'))}`,
  },
  {
    ...{ key: 'failedJobs', path: 'jobs', label: t('Failed jobs'), tone: 'fair' },
    words: (count) => `See why ${pluralize(count, t('job failed'), t('jobs failed'))}`,
  },
  {
    ...{ key: 'unmatchedParcels', path: 'parcels', label: t('Unknown parcels'), tone: 'fair' },
    words: (count) => `Find whose ${pluralize(count, t('unknown parcel is'), t('unknown parcels are'))}`,
  },
  {
    ...{ key: 'lateKits', path: 'pack', label: t('Kits that are late'), tone: 'fair' },
    words: (count) => `Pack ${pluralize(count, t('kit that is late'), t('kits that are late'))} first`,
  },
  {
    ...{ key: 'atTheDoor', path: 'intake', label: t('Samples that have arrived'), tone: 'info' },
    words: (count) => `Book in ${pluralize(count, t('sample that has arrived'), t('samples that have arrived'))}`,
  },
  {
    ...{ key: 'toPack', path: 'pack', label: t('Kits to pack'), tone: 'info' },
    words: (count) => t('Pack {count, plural, one {# kit} other {# kits}}', { count }),
  },
  {
    ...{ key: 'toReceive', path: 'intake', label: t('Samples on their way'), tone: 'idle' },
    words: (count) => `Expect ${pluralize(count, t('sample that is on its way'), t('samples that are on their way'))}`,
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
