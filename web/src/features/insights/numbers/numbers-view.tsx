import { Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import type { Filter } from '../../../components/filter-chip.tsx'
import type { ListState } from '../../../components/list-state.ts'
import { ListToolbar } from '../../../components/list-toolbar.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { RelativeDate } from '../../../components/relative-date.tsx'
import { rich, t } from '../../../language/t.ts'
import { CreditsPart } from './credits-part.tsx'
import { FunnelPart } from './funnel-part.tsx'
import css from './numbers.module.css'
import { Part } from './part.tsx'
import { PromisesPart } from './promises-part.tsx'
import {
  type CreditsUsed,
  countOf,
  type Funnel,
  type Promises,
  percentOf,
  type Rejections,
  type Turnaround,
} from './shown.ts'
import { TurnaroundPart } from './turnaround-part.tsx'

interface Answer<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

interface NumbersViewProps {
  /** Of the routes: `/api/v1/numbers`. */
  base: string
  state: ListState
  /** How kits may be grouped. */
  groupings: Extract<Filter, { kind?: 'choice' }>['options']
  /** Filters besides the time. */
  filters: readonly Filter[]
  answers: {
    funnel: Answer<Funnel>
    turnaround: Answer<Turnaround>
    promises: Answer<Promises>
    rejections: Answer<Rejections>
    credits: Answer<CreditsUsed>
  }
  /** How something comes to be promised. */
  promiseHelp: string
  /** The one next step where no kit was ordered. */
  action?: ReactNode
}

const units = [
  { value: 'week', label: t('Week') },
  { value: 'month', label: t('Month') },
]

/** The filters that all routes take. */
export function rangeOf({ per: _, by: __, ...range }: Record<string, string>): Record<string, string> {
  return range
}

/** The figures of a business, or of the operator, with their filters. */
export function NumbersView({ base, state, groupings, filters, answers, promiseHelp, action }: NumbersViewProps) {
  const shared: Filter[] = [
    { kind: 'dates', key: 'date', label: t('Ordered'), from: 'from', to: 'to' },
    ...filters,
    { key: 'per', label: t('Period'), options: units },
    { key: 'by', label: t('Split by'), options: groupings },
  ]
  const { funnel, turnaround, promises, rejections, credits } = answers
  const range = rangeOf(state.filters)
  const isEmpty = funnel.data?.total.ordered === 0
  return (
    <div className={css.page}>
      <PageHeader
        title={t('Numbers')}
        sentence={t('What became of the kits that were ordered, and how long it took.')}
      />
      <ListToolbar state={state} filters={shared} />
      {funnel.data && !isEmpty && (
        <Text size="sm" c="dimmed">
          {rich('As of {when}', { when: <RelativeDate value={funnel.data.countedAt} /> })}
        </Text>
      )}
      <Shown answer={funnel}>
        {(data) =>
          isEmpty ? (
            <EmptyState
              title={t('No kits were ordered in this time')}
              text={t(
                'Here you see how many kits arrive, come back and end in a report, how long each step takes, and why samples are rejected. It begins with the first order; or choose another time above.',
              )}
              action={action}
            />
          ) : (
            <FunnelPart funnel={data} path={`${base}/funnel`} filters={state.filters} />
          )
        }
      </Shown>
      {!isEmpty && (
        <>
          <Shown answer={turnaround}>
            {(data) => <TurnaroundPart turnaround={data} path={`${base}/turnaround`} filters={range} />}
          </Shown>
          <Shown answer={promises}>
            {(data) => <PromisesPart promises={data} path={`${base}/promises`} filters={range} help={promiseHelp} />}
          </Shown>
          <Shown answer={rejections}>
            {(data) => <RejectionsPart rejections={data} path={`${base}/rejections`} filters={range} />}
          </Shown>
          <Shown answer={credits}>
            {(data) => <CreditsPart credits={data} path={`${base}/credits`} filters={range} />}
          </Shown>
        </>
      )}
    </div>
  )
}

function Shown<Data>({ answer, children }: { answer: Answer<Data>; children: (data: Data) => ReactNode }) {
  if (answer.data !== undefined) return children(answer.data)
  if (answer.error) return <ErrorAlert error={answer.error} retry={() => void answer.refetch()} />
  return (
    <Stack gap="sm" py="lg">
      <Skeleton height={22} width={220} />
      <Skeleton height={180} />
    </Stack>
  )
}

interface RejectionsPartProps {
  rejections: Rejections
  path: string
  filters: Record<string, string>
}

/** How many samples were rejected, and the reasons as bars with their numbers. */
function RejectionsPart({ rejections, path, filters }: RejectionsPartProps) {
  const { received, rejected, share, reasons } = rejections
  const sentence =
    received === 0
      ? t('No sample has come to the laboratory yet.')
      : t('{rejected} of {received} received samples were rejected: {percent}.', {
          rejected: countOf(rejected),
          received: countOf(received),
          percent: percentOf(share ?? 0),
        })
  return (
    <Part title={t('Rejected samples')} sentence={sentence} csv={path} filters={filters}>
      {reasons.map(({ reason, kits, share }) => (
        <div key={reason ?? ''} className={`${css.row} ${css.leg}`}>
          <span>{reason ?? t('Other, or not said')}</span>
          <div className={css.track} aria-hidden="true">
            <div className={css.bar} style={{ width: `${(kits / rejected) * 100}%` }} />
          </div>
          <span className={css.value}>
            <strong>{countOf(kits)}</strong>
            <span>{t('{percent} of samples', { percent: percentOf(share) })}</span>
          </span>
        </div>
      ))}
    </Part>
  )
}
