import type { Overview } from '../../api/shapes.ts'
import { pluralize } from '../../components/pluralize.ts'
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
  ['kitInTransit', t('kit is on its way'), t('kits are on their way'), { kitStatus: 'inTransit' }],
  [
    'sampleInTransit',
    t('sample is on its way back'),
    t('samples are on their way back'),
    { sampleStatus: 'inTransit' },
  ],
  [
    'sampleReceived',
    t('sample is at the laboratory'),
    t('samples are at the laboratory'),
    { sampleStatus: 'received' },
  ],
] as const

const waiting: Record<Kind, { tone: Tone; one: string; many: string; folder: string; filter: Record<string, string> }> =
  {
    late: {
      ...{ tone: 'fair', folder: 'kits', filter: { attention: 'late' } },
      ...{ one: t('kit takes longer than usual'), many: t('kits take longer than usual') },
    },
    exception: {
      ...{ tone: 'bad', folder: 'kits', filter: { attention: 'exception' } },
      ...{ one: t('kit has a problem'), many: t('kits have a problem') },
    },
    rejected: {
      ...{ tone: 'bad', folder: 'kits', filter: { attention: 'rejected' } },
      ...{ one: t('sample was rejected'), many: t('samples were rejected') },
    },
    pendingPayment: {
      ...{ tone: 'fair', folder: 'orders', filter: { status: 'pending' } },
      ...{ one: t('order is not paid'), many: t('orders are not paid') },
    },
    inReview: {
      ...{ tone: 'fair', folder: 'reports', filter: { status: 'inReview' } },
      ...{ one: t('report is waiting for review'), many: t('reports are waiting for review') },
    },
    lowCredits: {
      ...{ tone: 'fair', folder: 'billing', filter: {} },
      ...{ one: t('panel is low on credits'), many: t('panels are low on credits') },
    },
  }

/** How the business stands, as the parts of one sentence: what moves, then what waits for a person. Nothing that is zero. */
export function standingOf({ kits, attention }: Pick<Overview, 'kits' | 'attention'>): StandingPart[] {
  const moves = moving.flatMap(([stage, one, many, filter]) => {
    const count = kits.find((kit) => kit.stage === stage)?.count ?? 0
    return count > 0 ? [{ words: pluralize(count, one, many), to: ['kits'], filter }] : []
  })
  const waits = attention.map(({ kind, count, example }) => {
    const { tone, one, many, folder, filter } = waiting[kind]
    const isOneKit = example !== undefined && count === 1 && folder === 'kits'
    return {
      words: pluralize(count, one, many),
      tone,
      to: isOneKit ? [folder, example] : [folder],
      filter: isOneKit ? {} : filter,
    }
  })
  return [...moves, ...waits]
}
