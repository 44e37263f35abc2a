import type { Overview } from '../../api/shapes.ts'
import { pluralize } from '../../components/pluralize.ts'
import type { Tone } from '../../components/status-label.ts'

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
  ['kitInTransit', 'kit is on its way', 'kits are on their way', { kitStatus: 'inTransit' }],
  ['sampleInTransit', 'sample is on its way back', 'samples are on their way back', { sampleStatus: 'inTransit' }],
  ['sampleReceived', 'sample is at the laboratory', 'samples are at the laboratory', { sampleStatus: 'received' }],
] as const

const waiting: Record<Kind, { tone: Tone; one: string; many: string; folder: string; filter: Record<string, string> }> =
  {
    late: {
      ...{ tone: 'fair', folder: 'kits', filter: { attention: 'late' } },
      ...{ one: 'kit takes longer than usual', many: 'kits take longer than usual' },
    },
    exception: {
      ...{ tone: 'bad', folder: 'kits', filter: { attention: 'exception' } },
      ...{ one: 'kit has a problem', many: 'kits have a problem' },
    },
    rejected: {
      ...{ tone: 'bad', folder: 'kits', filter: { attention: 'rejected' } },
      ...{ one: 'sample was rejected', many: 'samples were rejected' },
    },
    pendingPayment: {
      ...{ tone: 'fair', folder: 'orders', filter: { status: 'pending' } },
      ...{ one: 'order is not paid', many: 'orders are not paid' },
    },
    inReview: {
      ...{ tone: 'fair', folder: 'reports', filter: { status: 'inReview' } },
      ...{ one: 'report is waiting for review', many: 'reports are waiting for review' },
    },
    lowCredits: {
      ...{ tone: 'fair', folder: 'billing', filter: {} },
      ...{ one: 'panel is low on credits', many: 'panels are low on credits' },
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
