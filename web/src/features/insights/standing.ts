import type { Overview } from '../../api/shapes.ts'
import type { Tone } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

export interface StandingPart {
  words: string
  /** Of what needs a person. */
  tone?: Tone
  /** The parts of its page's path, and the filter that shows just these. */
  to: string[]
  filter: Record<string, string>
}

type Kind = Overview['attention'][number]['kind']

const moving = [
  [
    'kitInTransit',
    (count: number) => t('{count, plural, one {# kit is on its way} other {# kits are on their way}}', { count }),
    { kitStatus: 'inTransit' },
  ],
  [
    'sampleInTransit',
    (count: number) =>
      t('{count, plural, one {# sample is on its way back} other {# samples are on their way back}}', { count }),
    { sampleStatus: 'inTransit' },
  ],
  [
    'sampleReceived',
    (count: number) =>
      t('{count, plural, one {# sample is at the laboratory} other {# samples are at the laboratory}}', { count }),
    { sampleStatus: 'received' },
  ],
] as const

interface StoredStanding {
  tone: Tone
  words: (count: number) => string
  folder: string
  filter: Record<string, string>
}

const waiting: Record<Kind, StoredStanding> = {
  late: {
    tone: 'fair',
    folder: 'kits',
    filter: { attention: 'late' },
    words: (count) =>
      t('{count, plural, one {# kit takes longer than usual} other {# kits take longer than usual}}', { count }),
  },
  exception: {
    tone: 'bad',
    folder: 'kits',
    filter: { attention: 'exception' },
    words: (count) => t('{count, plural, one {# kit has a problem} other {# kits have a problem}}', { count }),
  },
  rejected: {
    tone: 'bad',
    folder: 'kits',
    filter: { attention: 'rejected' },
    words: (count) => t('{count, plural, one {# sample was rejected} other {# samples were rejected}}', { count }),
  },
  pendingPayment: {
    tone: 'fair',
    folder: 'orders',
    filter: { status: 'pending' },
    words: (count) => t('{count, plural, one {# order is not paid} other {# orders are not paid}}', { count }),
  },
  shopOrders: {
    tone: 'bad',
    folder: 'developers/shops',
    filter: { status: 'waiting' },
    words: (count) =>
      t('{count, plural, one {# order of your shop waits for you} other {# orders of your shops wait for you}}', {
        count,
      }),
  },
  heldSamples: {
    tone: 'bad',
    folder: 'held-samples',
    filter: {},
    words: (count) => t('{count, plural, one {# sample is on hold} other {# samples are on hold}}', { count }),
  },
  recalledKits: {
    tone: 'bad',
    folder: 'recalled-kits',
    filter: { isTold: 'false' },
    words: (count) =>
      t(
        '{count, plural, one {the person of # recalled kit was not notified} other {the people of # recalled kits were not notified}}',
        { count },
      ),
  },
  inReview: {
    tone: 'fair',
    folder: 'reports',
    filter: { status: 'inReview' },
    words: (count) =>
      t('{count, plural, one {# report is waiting for review} other {# reports are waiting for review}}', { count }),
  },
  noContact: {
    tone: 'bad',
    folder: 'settings',
    filter: {},
    words: () => t('nobody can ask you: add a contact address'),
  },
  dataRequests: {
    tone: 'fair',
    folder: 'customers/requests',
    filter: {},
    words: (count) =>
      t('{count, plural, one {# person asks for their data} other {# people ask for their data}}', { count }),
  },
  lowCredits: {
    tone: 'fair',
    folder: 'billing',
    filter: {},
    words: (count) =>
      t('{count, plural, one {# panel is low on credits} other {# panels are low on credits}}', { count }),
  },
}

/** How the business stands, as the parts of one sentence: what moves, then what waits for a person. Nothing that is zero. */
export function standingOf({ kits, attention }: Pick<Overview, 'kits' | 'attention'>): StandingPart[] {
  const moves = moving.flatMap(([stage, words, filter]) => {
    const count = kits.find((kit) => kit.stage === stage)?.count ?? 0
    return count > 0 ? [{ words: words(count), to: ['kits'], filter }] : []
  })
  const waits = attention.map(({ kind, count, example }) => {
    const { tone, words, folder, filter } = waiting[kind]
    const isOneKit = example !== undefined && count === 1 && folder === 'kits'
    const isExample = example !== undefined && kind === 'shopOrders'
    return {
      words: words(count),
      tone,
      to: [...folder.split('/'), ...(isOneKit || isExample ? [example] : [])],
      filter: isOneKit ? {} : filter,
    }
  })
  return [...moves, ...waits]
}
