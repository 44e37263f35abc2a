import { Skeleton, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { dayInWords } from '../../components/headlines.ts'
import { exactOf } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { StatusShape } from '../../components/status-dot.tsx'
import { locale, t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import css from './overview.module.css'
import { linesOf, type StreamLine, sameDay } from './stream.ts'

// Anyone who is shown in a list is counted as read: 50 a visit, and no more for five minutes, is far from an alarm.
const EVENTS = { params: { query: { latest: 'true', size: 20 } } } as const
// The newest of each list: names of what happened lately. Older ones are shown without a name.
const ORDERS = { params: { query: { page: 0, size: 20 } } } as const
const REPORTS = { params: { query: { page: 0, size: 10 } } } as const
const SELDOM = { fresh: 5 * 60_000 }

/** What happened lately, newest first, one line each, below its day. Absent for who may not read events. */
export function Stream() {
  const events = useRead('/api/v1/events', EVENTS, SELDOM)
  const orders = useRead('/api/v1/orders', ORDERS, SELDOM)
  const reports = useRead('/api/v1/reports', REPORTS, SELDOM)
  const { nameOf } = usePanels()
  if (events.error) return null
  if (!events.data || orders.isPending || reports.isPending) return <Skeleton height={320} />
  const recipients = new Map(orders.data?.data.map((order) => [order.orderID, order.recipientName]))
  const customers = new Map(reports.data?.data.map((report) => [report.customerID, report.customerName]))
  const lines = linesOf(events.data.data, {
    ofOrder: (id) => recipients.get(id),
    ofCustomer: (id) => customers.get(id),
    ofPanel: nameOf,
  })
  if (lines.length === 0) return null
  return (
    <Sheet aria-label={t('What happened')}>
      <Title order={2} mb="sm">
        {t('What happened')}
      </Title>
      {byDay(lines).map((some) => (
        <div key={some[0]?.id} className={css.day}>
          <Text size="sm" c="dimmed">
            {dayName(some[0]?.at ?? '')}
          </Text>
          <ol className={css.stream}>
            {some.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ol>
        </div>
      ))}
    </Sheet>
  )
}

const clock = new Intl.DateTimeFormat(locale() === 'en' ? 'en-GB' : locale(), { hour: '2-digit', minute: '2-digit' })

function Line({ line: { at, tone, words, to } }: { line: StreamLine }) {
  const path = useRealmPath()
  return (
    <li className={css.happened}>
      <StatusShape tone={tone} />
      <Link to={path(...to)} className={css.quiet}>
        {words}
      </Link>
      <Text component="time" size="xs" c="dimmed" dateTime={at} title={exactOf(at)}>
        {clock.format(new Date(at))}
      </Text>
    </li>
  )
}

function byDay(lines: readonly StreamLine[]): StreamLine[][] {
  const days: StreamLine[][] = []
  for (const line of lines) {
    const last = days.at(-1)
    if (last?.[0] && sameDay(last[0].at, line.at)) last.push(line)
    else days.push([line])
  }
  return days
}

const DAY_MS = 86_400_000

function dayName(at: string): string {
  const day = new Date(at).toDateString()
  if (day === new Date().toDateString()) return t('Today')
  if (day === new Date(Date.now() - DAY_MS).toDateString()) return t('Yesterday')
  return dayInWords(at)
}
