import type { OldestWaiting, OperatorOverview } from '../../api/operator-shapes.ts'
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
  words: (count: number, counts: OperatorOverview) => string
  /** Whose age it is, where that is known, and after how many hours it is late. */
  age?: [of: keyof OldestWaiting, hours: number]
}

/** What can wait for an operator. First what may harm a person, then what holds one up, then the day's work. */
export const stations: readonly Station[] = [
  {
    key: 'critical',
    path: 'critical',
    label: t('Critical results'),
    tone: 'bad',
    age: ['critical', 1],
    words: (count) => t('Call about {count, plural, one {# critical result} other {# critical results}}', { count }),
  },
  {
    key: 'noticesToTell',
    path: 'notices',
    label: t('Results to tell'),
    tone: 'bad',
    words: (count, { overdueNotices: overdue = 0 }) =>
      t(
        'Tell {count, plural, one {# result} other {# results}} to an authority{overdue, plural, =0 {} other {, # overdue}}',
        { count, overdue },
      ),
  },
  {
    key: 'alarms',
    path: 'alarms',
    label: t('Alarms'),
    tone: 'bad',
    age: ['alarms', 24],
    words: (count) => t('Look into {count, plural, one {# alarm} other {# alarms}}', { count }),
  },
  {
    key: 'toDiscardSoon',
    path: 'held-samples',
    label: t('Samples that are soon discarded'),
    tone: 'bad',
    words: (count) =>
      t('Save {count, plural, one {# sample on hold that is} other {# samples on hold that are}} soon discarded', {
        count,
      }),
  },
  {
    key: 'recalledKits',
    path: 'recalls',
    label: t('Recalled kits'),
    tone: 'bad',
    words: (count) =>
      t(
        'See that {count, plural, one {the person of # recalled kit is} other {the people of # recalled kits are}} notified',
        {
          count,
        },
      ),
  },
  {
    key: 'unmatched',
    path: 'unmatched',
    label: t('Results without a kit'),
    tone: 'fair',
    age: ['unmatched', 24],
    words: (count) =>
      t('Find the kit of {count, plural, one {# result that has none} other {# results that have none}}', { count }),
  },
  {
    key: 'unassessed',
    path: 'unassessed',
    label: t('Results not assessed'),
    tone: 'fair',
    age: ['unassessed', 24],
    words: (count) =>
      t('Decide about {count, plural, one {# result that was not assessed} other {# results that were not assessed}}', {
        count,
      }),
  },
  {
    key: 'inReview',
    path: 'review',
    label: t('Reports to review'),
    tone: 'fair',
    age: ['inReview', 24],
    words: (count) => t('Review {count, plural, one {# report} other {# reports}}', { count }),
  },
  {
    key: 'toApprove',
    path: 'approvals',
    label: t('Orders to approve'),
    tone: 'fair',
    words: (count) => t('Decide about {count, plural, one {# order} other {# orders}}', { count }),
  },
  {
    key: 'uploadsToReview',
    path: 'uploads',
    label: t('Uploads to review'),
    tone: 'fair',
    age: ['uploadsToReview', 48],
    words: (count) => t('Check what was read from {count, plural, one {# upload} other {# uploads}}', { count }),
  },
  {
    key: 'heldSamples',
    path: 'held-samples',
    label: t('Samples on hold'),
    tone: 'fair',
    age: ['heldSamples', 72],
    words: (count) => t('See to {count, plural, one {# sample on hold} other {# samples on hold}}', { count }),
  },
  {
    key: 'cameBack',
    path: 'came-back',
    label: t('Boxes that came back'),
    tone: 'fair',
    age: ['cameBack', 72],
    words: (count) =>
      t(
        'See to {count, plural, one {# box that did not reach its recipient} other {# boxes that did not reach their recipients}}',
        { count },
      ),
  },
  {
    key: 'failedEmails',
    path: 'mail?status=failed',
    label: t('E-mails not sent'),
    tone: 'fair',
    words: (count) => t('See why {count, plural, one {# e-mail was} other {# e-mails were}} not sent', { count }),
  },
  {
    key: 'failedJobs',
    path: 'jobs',
    label: t('Failed jobs'),
    tone: 'fair',
    words: (count) => t('See why {count, plural, one {# job} other {# jobs}} failed', { count }),
  },
  {
    key: 'unmatchedParcels',
    path: 'parcels',
    label: t('Unknown parcels'),
    tone: 'fair',
    words: (count) =>
      t('Find whose {count, plural, one {# unknown parcel is} other {# unknown parcels are}}', { count }),
  },
  {
    key: 'waitingLabels',
    path: 'labels',
    label: t('Shipping labels'),
    tone: 'fair',
    words: (count) => t('See to {count, plural, one {# shipping label} other {# shipping labels}}', { count }),
  },
  {
    key: 'waitingAtWarehouses',
    path: 'warehouses',
    label: t('Kits at warehouses'),
    tone: 'fair',
    words: (count) => t('See to {count, plural, one {# kit at a warehouse} other {# kits at warehouses}}', { count }),
  },
  {
    key: 'lateKits',
    path: 'pack',
    label: t('Kits that are late'),
    tone: 'fair',
    words: (count) => t('Pack {count, plural, one {# kit that is late} other {# kits that are late}} first', { count }),
  },
  {
    key: 'waitingLabOrders',
    path: 'lab-orders',
    label: t('Orders to laboratories'),
    tone: 'fair',
    words: (count) =>
      t('See to {count, plural, one {# order to a laboratory} other {# orders to laboratories}}', { count }),
  },
  {
    key: 'atTheDoor',
    path: 'intake',
    label: t('Samples that have arrived'),
    tone: 'info',
    age: ['atTheDoor', 12],
    words: (count) =>
      t('Book in {count, plural, one {# sample that has arrived} other {# samples that have arrived}}', { count }),
  },
  {
    key: 'toPack',
    path: 'pack',
    label: t('Kits to pack'),
    tone: 'info',
    age: ['toPack', 24],
    words: (count) => t('Pack {count, plural, one {# kit} other {# kits}}', { count }),
  },
  {
    key: 'lowStock',
    path: 'stock',
    label: t('Boxes below their reorder point'),
    tone: 'info',
    words: (count) => t('Order boxes of {count, plural, one {# product} other {# products}}', { count }),
  },
  {
    key: 'toReceive',
    path: 'intake',
    label: t('Samples on their way'),
    tone: 'idle',
    words: (count) =>
      t('Expect {count, plural, one {# sample that is on its way} other {# samples that are on their way}}', { count }),
  },
]

/** One line of work. */
export interface Waiting extends Pick<Station, 'path' | 'tone'> {
  key: string
  words: string
  /** "oldest 26 h", from an hour on. */
  age?: string
  isLate: boolean
}

const HOUR_MS = 3_600_000
const TONES: readonly Tone[] = ['bad', 'fair', 'info', 'idle']

/**
 * What waits: what may harm first, and of what is alike, the latest by its own measure. A station that the role does not
 * have has no count. `first` are lines that say more than a station does, and stand in its place.
 */
export function nowOf(
  counts: OperatorOverview,
  {
    oldest = {},
    calls = [],
    now = Date.now(),
  }: { oldest?: OldestWaiting; calls?: readonly Waiting[]; now?: number } = {},
): Waiting[] {
  const lines = stations.flatMap(({ key, path, tone, words, age: [of, hours] = [undefined, 0] }, place) => {
    const count = (counts[key] ?? 0) - (key === 'critical' ? calls.length : 0)
    if (count <= 0) return []
    const since = of && oldest[of]
    const waitedHours = since ? (now - Date.parse(since)) / HOUR_MS : 0
    const lateness = of ? waitedHours / hours : 0
    const age = waitedHours >= 1 ? ageOf(waitedHours) : undefined
    return [
      {
        place,
        lateness,
        line: { key, path, tone, words: words(count, counts), isLate: lateness > 1, ...(age && { age }) },
      },
    ]
  })
  const rank = ({ line }: (typeof lines)[number]) => TONES.indexOf(line.tone)
  return [
    ...calls,
    ...lines
      .sort((a, b) => rank(a) - rank(b) || Math.max(1, b.lateness) - Math.max(1, a.lateness) || a.place - b.place)
      .map(({ line }): Waiting => line),
  ]
}

const ageOf = (hours: number): string =>
  hours < 72
    ? t('oldest {hours, number} h', { hours: Math.floor(hours) })
    : t('oldest {days, number} days', { days: Math.floor(hours / 24) })
