import { Anchor, Code, Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { LoggedRequest } from '../../api/shapes.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { IdText } from '../../components/id-text.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ExactTime } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { answerLabel, errorPage } from './request-labels.ts'

const crumbs: [string, string][] = [['developers/requests', t('Requests')]]

/** One request, as the log has it. */
export function RequestPage() {
  const { requestID = '' } = useParams({ strict: false })
  const log = useRead('/api/v1/request-log', { params: { query: { requestID, latest: 'true', size: 1 } } })
  if (log.error && !log.data) return <ErrorAlert error={log.error} retry={() => void log.refetch()} />
  if (!log.data) return <Skeleton height={320} />
  const [request] = log.data.data
  if (request) return <RequestView request={request} />
  return (
    <>
      <PageHeader title={t('Request')} crumbs={crumbs} />
      <EmptyState
        title={t('There is no such request')}
        text={t('Requests are kept for {days, plural, one {a day} other {# days}}.', { days: log.data.keptDays })}
      />
    </>
  )
}

function RequestView({ request }: { request: LoggedRequest }) {
  const { date, method, route, path, status, code, ms, requestID, callerRequestID, token } = request
  const { label, tone } = answerLabel(status)
  return (
    <>
      <PageHeader
        title={`${method} ${path ?? t('no such route')}`}
        crumbs={crumbs}
        beside={<StatusDot tone={tone}>{label}</StatusDot>}
      />
      <Facts
        title={t('Details')}
        facts={[
          [t('When'), <ExactTime key="when" value={date} />],
          [t('Took'), t('{ms} ms', { ms })],
          [t('Route'), route ?? t('There is no such route. What was asked for instead is not kept.')],
          [
            t('Error code'),
            code && (
              <Anchor href={errorPage(code)} target="_blank" rel="noopener" underline="always">
                {code}
              </Anchor>
            ),
          ],
          [t('Request ID'), <IdText key="id" value={requestID} />],
          [t('Your X-Request-Id'), callerRequestID && <IdText value={callerRequestID} />],
          [
            t('Token'),
            <span key="token">
              {token.name && `${token.name}, `}
              <IdText value={token.id} />
            </span>,
          ],
          [
            t('Idempotency'),
            request.replayed ? t('Answered as before, with what was kept under its Idempotency-Key.') : undefined,
          ],
          [t('Simulated'), request.simulated && <Code>Kitlane-Simulate: {request.simulated}</Code>],
        ]}
      />
    </>
  )
}
