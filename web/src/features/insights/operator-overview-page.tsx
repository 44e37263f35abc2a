import { Button, Kbd, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { useSearchState } from '../../app/search.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { StatusShape } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { Board } from './board.tsx'
import { CALLS, callsOf } from './calls.ts'
import { OperatorFirstSteps } from './operator-first-steps.tsx'
import css from './overview.module.css'
import { nowOf, stations, type Waiting } from './stations.ts'

/** What needs the person now, at the stations of their role: what may harm first. `?board` is for a large screen. */
export function OverviewPage() {
  const [{ board }] = useSearchState()
  return board === undefined ? <Overview /> : <Board />
}

function Overview() {
  const overview = useRead('/operator/v1/overview')
  const oldest = useRead('/operator/v1/overview/oldest')
  const { isReviewer } = useOperatorRoles()
  const counts = overview.data
  const hasCritical = isReviewer && (counts?.critical ?? 0) > 0
  const critical = useRead(
    '/operator/v1/critical-results',
    { params: { query: { state: 'open', size: CALLS } } },
    { enabled: hasCritical },
  )
  const mine = stations.filter(({ key }) => counts?.[key] !== undefined)
  const isWhole = counts && !oldest.isPending && !(hasCritical && critical.isPending)
  return (
    <>
      <PageHeader
        title={t('Overview')}
        sentence={t('What needs you now, what may harm somebody first.')}
        actions={
          <Button variant="default" component={Link} to="/operator?board=1">
            {t('Show on a wall')}
          </Button>
        }
      />
      {overview.error && <ErrorAlert error={overview.error} retry={() => void overview.refetch()} />}
      {!isWhole && !overview.error && <Skeleton height={280} />}
      {isWhole && mine.length === 0 && (
        <EmptyState
          title={t('Nothing to do here')}
          text={t('Your role has no station. Ask an administrator for another role.')}
        />
      )}
      {isWhole && mine.length > 0 && (
        <Stack gap="xl">
          <Now
            waiting={nowOf(counts, {
              oldest: oldest.data?.oldest ?? {},
              calls: hasCritical ? callsOf(critical.data?.data ?? []) : [],
            })}
          />
          <OperatorFirstSteps steps={oldest.data?.firstSteps ?? []} />
        </Stack>
      )}
      {isWhole && <Quiet names={mine.filter(({ key }) => counts[key] === 0)} />}
    </>
  )
}

// The keys 1 to 9.
const KEYS = 9

function Now({ waiting }: { waiting: readonly Waiting[] }) {
  const navigate = useNavigate()
  useHotkeys(
    waiting.slice(0, KEYS).map(({ path }, index) => [String(index + 1), () => void navigate({ to: to(path) })]),
  )
  return (
    <Sheet aria-labelledby="now">
      <Title order={2} id="now" mb="sm">
        {t('Now')}
      </Title>
      {waiting.length === 0 && <Text>{t('Nothing waits for you.')}</Text>}
      <ol className={css.stream}>
        {waiting.map(({ key, path, tone, words, age, isLate }, index) => (
          <li key={key} className={css.happened}>
            <StatusShape tone={tone} />
            <span>
              <Link to={to(path)} className={css.task}>
                {words}
              </Link>
              {age && (
                <Text
                  component="span"
                  size="sm"
                  c={isLate ? 'var(--k-bad)' : 'dimmed'}
                  style={{ whiteSpace: 'nowrap' }}
                >
                  {', '}
                  {age}
                </Text>
              )}
            </span>
            {index < KEYS && (
              <Kbd size="xs" visibleFrom="sm" aria-label={t('Key {number}', { number: index + 1 })}>
                {index + 1}
              </Kbd>
            )}
          </li>
        ))}
      </ol>
    </Sheet>
  )
}

const to = (path: string) => `/operator/${path}`

/** Where nothing waits, so that an empty place is not taken for a missing one. */
function Quiet({ names }: { names: readonly { key: string; path: string; label: string }[] }) {
  if (names.length === 0) return null
  return (
    <Stack gap={4} mt="xl">
      <Text size="sm" c="dimmed">
        {t('Nothing waits here')}
      </Text>
      <Text size="sm">
        {names.map(({ key, path, label }, index) => (
          <span key={key}>
            {index > 0 && ' · '}
            <PageLink to={to(path)}>{label}</PageLink>
          </span>
        ))}
      </Text>
    </Stack>
  )
}
